package io.surewrite.internal.lwt;

import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_TIMEOUT;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import io.surewrite.internal.session.SessionDecorator;
import io.surewrite.write.ConditionalWrites;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What conditional writes need of a session that lacks the profile {@link ConditionalWrites#PROFILE}, because the application has
 * built it itself: the same settings, on each statement. Retry policy and speculation are those of its default profile then; neither
 * repeats what is not marked idempotent, but after an {@code Unavailable}, and a statement that is run again shows its own token.
 */
public record ConditionalProfile(
        ConsistencyLevel serialConsistency, ConsistencyLevel consistency, Duration requestTimeout) {

    /** What the properties {@code surewrite.conditional.*} are by default. */
    public static final ConditionalProfile DEFAULT =
            new ConditionalProfile(ConsistencyLevel.SERIAL, ConsistencyLevel.QUORUM, Duration.ofSeconds(5));

    /** Makes a session, out of the scope, fit for protocols that decide timestamps and levels themselves. */
    public CqlSession on(CqlSession session) {
        CqlSession plain = SessionDecorator.unwrap(session);
        boolean configured = config(plain).getProfiles().containsKey(ConditionalWrites.PROFILE);
        return plain instanceof Profiled || configured ? plain : new Profiled(plain, derived(plain));
    }

    /** The settings of a session's conditional writes. */
    public static DriverExecutionProfile of(CqlSession session) {
        CqlSession plain = DEFAULT.on(session);
        return plain instanceof Profiled profiled
                ? profiled.profile
                : config(plain).getProfile(ConditionalWrites.PROFILE);
    }

    /** The level at which a session's conditions are decided, and are read by who must know. */
    public static ConsistencyLevel serialLevel(CqlSession session) {
        return DefaultConsistencyLevel.valueOf(
                of(session).getString(REQUEST_SERIAL_CONSISTENCY).toUpperCase(Locale.ROOT));
    }

    private static DriverConfig config(CqlSession session) {
        return session.getContext().getConfig();
    }

    private DriverExecutionProfile derived(CqlSession session) {
        return config(session)
                .getDefaultProfile()
                .withString(REQUEST_SERIAL_CONSISTENCY, serialConsistency.name())
                .withString(REQUEST_CONSISTENCY, consistency.name())
                .withDuration(REQUEST_TIMEOUT, requestTimeout)
                .withBoolean(REQUEST_DEFAULT_IDEMPOTENCE, false);
    }

    /** Statements name the profile all the same; here the name is replaced by what it stands for. */
    private static final class Profiled extends SessionDecorator {

        private final DriverExecutionProfile profile;

        Profiled(CqlSession session, DriverExecutionProfile profile) {
            super(session);
            this.profile = profile;
        }

        @Override
        @SuppressWarnings("unchecked") // every statement of the driver returns its own type
        public <Q extends Request, R extends @Nullable Object> R execute(Q request, GenericType<R> resultType) {
            if (request instanceof Statement<?> statement
                    && ConditionalWrites.PROFILE.equals(statement.getExecutionProfileName())) {
                // In this order: a statement takes the profile before its name.
                return super.execute(
                        (Q) statement.setExecutionProfileName(null).setExecutionProfile(profile), resultType);
            }
            return super.execute(request, resultType);
        }
    }

    /** Where a session's lightweight transactions are decided; the data centre is empty if the session does not know its own. */
    public record ConditionalLevel(boolean local, String datacenter) {

        public static ConditionalLevel of(CqlSession session) {
            String datacenter = datacenters(session).findFirst().orElse("");
            return new ConditionalLevel(serialLevel(session) == ConsistencyLevel.LOCAL_SERIAL, datacenter);
        }

        /** The data centres that the driver takes for its own. */
        static Stream<String> datacenters(CqlSession session) {
            return session.getMetadata().getNodes().values().stream()
                    .filter(node -> node.getDistance() == NodeDistance.LOCAL)
                    .map(Node::getDatacenter)
                    .filter(Objects::nonNull)
                    .distinct();
        }
    }
}
