package io.surewrite.write;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.api.core.session.SessionBuilder;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.session.RequestProcessorRegistry;
import com.datastax.oss.protocol.internal.FrameCodec;
import io.netty.buffer.ByteBuf;
import io.surewrite.internal.compat.WholeFrameCodec;
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
 * <p>Its sessions negotiate the protocol version as the driver does. Snappy, which V5 lacks, is refused with it.
 */
public final class SureSessionBuilder extends CqlSessionBuilder {

    private SureSessionBuilder() {}

    /**
     * Takes a builder's settings over.
     *
     * @param builder made by {@code CqlSession.builder()}, not to be used any more
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

    /** {@return whether a session was built by such a builder, and so keeps its connections and reads the right columns} */
    public static boolean built(CqlSession session) {
        return session.getContext() instanceof InternalDriverContext context
                && context.getFrameCodec() instanceof WholeFrameCodec;
    }

    @Override
    protected DriverContext buildContext(DriverConfigLoader config, ProgrammaticArguments arguments) {
        DriverExecutionProfile settings = config.getInitialConfig().getDefaultProfile();
        if (settings.getString(DefaultDriverOption.PROTOCOL_COMPRESSION, "none").equalsIgnoreCase("snappy")
                && settings.getString(DefaultDriverOption.PROTOCOL_VERSION, "V5")
                        .equals("V5")) {
            throw new InvalidConfigurationException(
                    "datastax-java-driver.advanced.protocol", "Cassandra protocol V5 has no Snappy.", """
                    Set datastax-java-driver.advanced.protocol.compression = lz4 (spring.cassandra.compression=lz4), or \
                    datastax-java-driver.advanced.protocol.version = V4.""", "session");
        }
        return new SureContext(config, arguments);
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
    }
}
