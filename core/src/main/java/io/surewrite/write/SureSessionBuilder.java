package io.surewrite.write;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.api.core.session.SessionBuilder;
import com.datastax.oss.driver.internal.core.DefaultProtocolVersionRegistry;
import com.datastax.oss.driver.internal.core.ProtocolVersionRegistry;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.session.RequestProcessorRegistry;
import com.datastax.oss.protocol.internal.FrameCodec;
import io.netty.buffer.ByteBuf;
import io.surewrite.internal.compat.WholeFrameCodec;
import java.util.Collection;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Builds sessions that keep their connections when conditional writes contend, and read the right columns while a table is
 * altered. The driver's own sessions do neither. What changes the schema has 30 seconds, unless the statement says otherwise.
 *
 * <p>The starter turns Spring Boot's {@code CqlSessionBuilder} into one. For a session of your own that is not built from
 * it, such as one to another cluster:
 *
 * <pre>{@code
 * CqlSession second = SureSessionBuilder.from(CqlSession.builder().addContactPoint(address)).build();
 * }</pre>
 *
 * <p>Its sessions negotiate the protocol version as the driver does, but never V5 with Snappy, which that version lacks.
 */
public final class SureSessionBuilder extends CqlSessionBuilder {

    private static final Logger log = LoggerFactory.getLogger(SureSessionBuilder.class);

    private SureSessionBuilder() {}

    /**
     * Takes a builder's settings over.
     *
     * @param builder made by {@code CqlSession.builder()}, not to be used any more
     * @return a builder with the same settings
     * @throws IllegalArgumentException if it is a builder of a class of its own, which may build sessions in its own way
     */
    public static CqlSessionBuilder from(CqlSessionBuilder builder) {
        if (builder instanceof SureSessionBuilder) {
            return builder;
        }
        if (builder.getClass() != CqlSessionBuilder.class) {
            throw new IllegalArgumentException("A %s may build sessions in its own way, which %s would not keep"
                    .formatted(builder.getClass().getName(), SureSessionBuilder.class.getSimpleName()));
        }
        SureSessionBuilder sure = new SureSessionBuilder();
        if (SessionBuilder.class.getDeclaredFields().length == 0) {
            throw new InvalidConfigurationException(
                    "CqlSessionBuilder",
                    "The settings of the CqlSessionBuilder cannot be read: this native image was built without the hints of"
                            + " Surewrite's auto-configuration.",
                    "Build the image with that auto-configuration.",
                    "aot");
        }
        // Builders offer no way to read what was set. Their reference to themselves is final, and is not copied.
        ReflectionUtils.shallowCopyFieldState(builder, sure);
        return sure;
    }

    /**
     * Tells whether a session was built by such a builder.
     *
     * @param session a session of whatever origin
     * @return whether it keeps its connections and reads the right columns
     */
    public static boolean built(CqlSession session) {
        return session.getContext() instanceof InternalDriverContext context
                && context.getFrameCodec() instanceof WholeFrameCodec;
    }

    @Override
    protected DriverContext buildContext(DriverConfigLoader config, ProgrammaticArguments arguments) {
        DriverExecutionProfile settings = config.getInitialConfig().getDefaultProfile();
        if (hasSnappy(settings)
                && settings.getString(DefaultDriverOption.PROTOCOL_VERSION, "").equals("V5")) {
            throw new InvalidConfigurationException(
                    "datastax-java-driver.advanced.protocol", "Cassandra protocol V5 has no Snappy.", """
                    Set datastax-java-driver.advanced.protocol.compression = lz4 (spring.cassandra.compression=lz4), or do not \
                    force the version with datastax-java-driver.advanced.protocol.version = V5.""", "session");
        }
        return new SureContext(config, arguments);
    }

    private static boolean hasSnappy(DriverExecutionProfile settings) {
        return settings.getString(DefaultDriverOption.PROTOCOL_COMPRESSION, "none")
                .equalsIgnoreCase("snappy");
    }

    private static final class SureContext extends DefaultDriverContext {

        SureContext(DriverConfigLoader config, ProgrammaticArguments arguments) {
            super(config, arguments);
        }

        @Override
        protected FrameCodec<ByteBuf> buildFrameCodec() {
            return new WholeFrameCodec(getPrimitiveCodec(), getCompressor(), super.buildFrameCodec());
        }

        @Override
        protected RequestProcessorRegistry buildRequestProcessorRegistry() {
            return PatientSchemaChanges.before(super.buildRequestProcessorRegistry(), getSessionName());
        }

        @Override
        protected ProtocolVersionRegistry buildProtocolVersionRegistry() {
            DriverExecutionProfile settings = getConfig().getDefaultProfile();
            if (hasSnappy(settings) && !settings.isDefined(DefaultDriverOption.PROTOCOL_VERSION)) {
                log.info(
                        "Session '{}' does not speak Cassandra protocol V5, which has no Snappy;"
                                + " advanced.protocol.compression = lz4 works with all versions",
                        getSessionName());
                return new WithoutV5(getSessionName());
            }
            return super.buildProtocolVersionRegistry();
        }
    }

    private static final class WithoutV5 extends DefaultProtocolVersionRegistry {

        WithoutV5(String sessionName) {
            super(sessionName);
        }

        @Override
        public Optional<ProtocolVersion> downgrade(ProtocolVersion version) {
            return super.downgrade(version).map(WithoutV5::skipV5);
        }

        @Override
        public ProtocolVersion highestCommon(Collection<Node> nodes) {
            return skipV5(super.highestCommon(nodes));
        }

        private static ProtocolVersion skipV5(ProtocolVersion version) {
            return version == DefaultProtocolVersion.V5 ? DefaultProtocolVersion.V4 : version;
        }
    }
}
