package io.surewrite.autoconfigure;

import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_TIMEOUT;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.RETRY_POLICY_CLASS;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS;
import static io.surewrite.autoconfigure.ConditionalWriteProperties.SERVER_WRITE_TIMEOUT;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.time.TimestampGenerator;
import com.datastax.oss.driver.internal.core.specex.NoSpeculativeExecutionPolicy;
import io.surewrite.internal.compat.TransactionalTables;
import io.surewrite.internal.session.SessionDecorator;
import io.surewrite.internal.session.SureLevel;
import io.surewrite.internal.session.WeakPolicies;
import io.surewrite.repository.Refusals;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.NeverRetryPolicy;
import io.surewrite.write.SureSessionBuilder;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.Environment;

/**
 * Turns the application's {@code CqlSessionBuilder}, which Spring Boot and every customizer are done with, into a {@link
 * SureSessionBuilder}, and looks at every session once it is there. It asks the server nothing, but waits for what the server says of its
 * tables, without which the first sure write would be refused.
 */
final class SessionCheck implements BeanPostProcessor, EnvironmentAware, PriorityOrdered {

    static final String FIX = """
            Fix: build it from the injected CqlSessionBuilder, or, if it has another origin, \
            with SureSessionBuilder.from(CqlSession.builder()...).build(); in an AbstractCassandraConfiguration, override \
            getSessionBuilderConfigurer() to return SureSessionBuilder::from""";

    private static final String FIX_OF_OFF =
            "Fix: surewrite.session.mode=full; or stop the application before you alter a table";

    private static final String REPEATS =
            "the driver may run a write again that was applied already, and report it as rejected";

    private static final String NO_SPECULATION = NoSpeculativeExecutionPolicy.class.getSimpleName();

    private static final Logger log = LoggerFactory.getLogger(SessionCheck.class);

    private SessionMode mode = SessionMode.FULL;

    /** A constructor may have no argument: nothing that would inject it is there so early. */
    @Override
    public void setEnvironment(Environment environment) {
        mode = SessionMode.of(environment);
    }

    /** Among the first: no bean is made early for it, and what is made early meets it. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE + 100;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean.getClass() == CqlSessionBuilder.class && mode == SessionMode.FULL) {
            return SureSessionBuilder.from((CqlSessionBuilder) bean);
        }
        if (bean instanceof CqlSession session && SessionDecorator.isReal(session)) {
            refusals(session).findFirst().ifPresent(refused -> {
                session.close(); // Spring destroys no bean whose creation has failed: it would keep the process alive
                throw refused;
            });
            List<String> findings = findings(session);
            if (!findings.isEmpty()) {
                log.warn(
                        "The Cassandra session '{}' makes writes less sure:\n - {}",
                        beanName,
                        String.join("\n - ", findings));
            }
            var unused = TransactionalTables.of(session.getContext()).await(); // if it never comes, that logs a warning
        }
        return bean;
    }

    /** Looks at a session that stays as it is. */
    static void look(CqlSession session, Consumer<InvalidConfigurationException> found) {
        refusals(session).forEach(found);
        WeakPolicies.of(session)
                .values()
                .forEach(problem -> found.accept(Refusals.finding("Session " + session.getName(), problem, "session")));
        weakLevels(session)
                .ifPresent(problem ->
                        found.accept(Refusals.finding("Session " + session.getName(), problem, "consistency")));
    }

    private static Stream<InvalidConfigurationException> refusals(CqlSession session) {
        return Stream.of(elsewhere(session), speculates(session)).flatMap(Stream::ofNullable);
    }

    private static Optional<String> weakLevels(CqlSession session) {
        List<String> weak = SureLevel.of(session).weakChoices();
        return weak.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "A write that one replica has acknowledged may be missed by a read, or be lost with its node. Levels that allow it: %s"
                                .formatted(String.join(", ", weak)));
    }

    private static @Nullable InvalidConfigurationException elsewhere(CqlSession session) {
        String local =
                session.getContext().getConfig().getDefaultProfile().getString(LOAD_BALANCING_LOCAL_DATACENTER, null);
        Collection<Node> nodes = session.getMetadata().getNodes().values();
        Set<String> there = new TreeSet<>();
        nodes.forEach(node -> there.add(String.valueOf(node.getDatacenter())));
        return local != null
                        && !nodes.isEmpty()
                        && !there.contains(local)
                        && nodes.stream().allMatch(node -> node.getDistance() == NodeDistance.IGNORED)
                ? new InvalidConfigurationException(
                        "spring.cassandra.local-datacenter",
                        "The local data center of the Cassandra session is '%s', and no node of the cluster is in it: there %s %s. No request would be sent to any node."
                                .formatted(local, there.size() == 1 ? "is" : "are", String.join(", ", there)),
                        "Correct spring.cassandra.local-datacenter.",
                        "session")
                : null;
    }

    /** Without the profile, ours are marked as not idempotent, and never sent twice. */
    private static @Nullable InvalidConfigurationException speculates(CqlSession session) {
        DriverConfig config = session.getContext().getConfig();
        String policy = config.getProfiles().containsKey(ConditionalWrites.PROFILE)
                ? config.getProfile(ConditionalWrites.PROFILE).getString(SPECULATIVE_EXECUTION_POLICY_CLASS)
                : NO_SPECULATION;
        return policy.endsWith(NO_SPECULATION)
                ? null
                : new InvalidConfigurationException(
                        "datastax-java-driver.profiles." + ConditionalWrites.PROFILE,
                        "The driver's profile %s has %s = %s: %s."
                                .formatted(
                                        ConditionalWrites.PROFILE,
                                        SPECULATIVE_EXECUTION_POLICY_CLASS.getPath(),
                                        policy,
                                        REPEATS),
                        "Set it to %s in this profile.".formatted(NO_SPECULATION),
                        "session");
    }

    private String fix() {
        return mode == SessionMode.FULL ? FIX : FIX_OF_OFF;
    }

    private List<String> findings(CqlSession session) {
        List<String> findings = new ArrayList<>();
        if (!SureSessionBuilder.built(session)) {
            findings.add(plainSession(session));
        }
        TimestampGenerator timestamps = session.getContext().getTimestampGenerator();
        if (mode == SessionMode.OFF && !(timestamps instanceof WriteTimestamps)) {
            findings.add(
                    "Its plain writes have timestamps of %s, sure ones of a source beside it: a plain write soon after a sure one may get an older timestamp, and is lost then. Fix: set advanced.timestamp-generator.class = %s"
                            .formatted(timestamps.getClass().getSimpleName(), WriteTimestamps.class.getName()));
        }
        DriverConfig config = session.getContext().getConfig();
        if (config.getProfiles().containsKey(ConditionalWrites.PROFILE)) {
            findings.addAll(findings(config.getProfile(ConditionalWrites.PROFILE)));
        }
        WeakPolicies.of(session).forEach((profile, problem) -> {
            if (!profile.equals(ConditionalWrites.PROFILE)) { // it has a finding of its own
                findings.add(problem);
            }
        });
        weakLevels(session).ifPresent(findings::add);
        return findings;
    }

    /** Compares the profile for conditional writes, which the user may change, with what such writes need. */
    static List<String> findings(DriverExecutionProfile profile) {
        String serial = profile.getString(REQUEST_SERIAL_CONSISTENCY).toUpperCase(Locale.ROOT);
        String commit = profile.getString(REQUEST_CONSISTENCY).toUpperCase(Locale.ROOT);
        List<String> sufficient = ConditionalWriteProperties.sufficient(serial);
        Duration timeout = profile.getDuration(REQUEST_TIMEOUT);
        boolean repeatable = profile.getBoolean(REQUEST_DEFAULT_IDEMPOTENCE);
        String retry = profile.getString(RETRY_POLICY_CLASS);
        String never = NeverRetryPolicy.class.getName();
        String misses = "a quorum read may miss a committed write";
        String givesUp = "the driver gives up before the server says what became of a write";
        List<String> findings = new ArrayList<>();
        require(sufficient.contains(commit), REQUEST_CONSISTENCY, commit, misses, sufficient.get(0), findings);
        require(timeout.compareTo(SERVER_WRITE_TIMEOUT) > 0, REQUEST_TIMEOUT, timeout, givesUp, "5 s", findings);
        require(!repeatable, REQUEST_DEFAULT_IDEMPOTENCE, true, REPEATS, "false", findings);
        require(retry.equals(never), RETRY_POLICY_CLASS, retry, REPEATS, never, findings);
        return findings;
    }

    private static void require(
            boolean right,
            DefaultDriverOption option,
            Object actual,
            String reason,
            String fix,
            List<String> findings) {
        if (!right) {
            findings.add("Its profile %s has %s = %s: %s. Fix: %s"
                    .formatted(ConditionalWrites.PROFILE, option.getPath(), actual, reason, fix));
        }
    }

    private String plainSession(CqlSession session) {
        ProtocolVersion version = session.getContext().getProtocolVersion();
        String loses = version == DefaultProtocolVersion.V5 || version == DefaultProtocolVersion.V6
                ? " it drops the connection, and every request on it, when a conditional write times out under contention;"
                : "";
        return """
                It was built by the plain driver, and speaks protocol %s:%s after a column is added to a table or dropped, it \
                may read values under the wrong column, and what saves them again makes that permanent. %s""".formatted(version, loses, fix());
    }

    /** Whether the driver's session gets what sure writes need, where the application has set nothing. */
    enum SessionMode {
        FULL,
        OFF;

        static SessionMode of(Environment environment) {
            return Binder.get(environment)
                    .bind("surewrite.session.mode", SessionMode.class)
                    .orElse(FULL);
        }
    }
}
