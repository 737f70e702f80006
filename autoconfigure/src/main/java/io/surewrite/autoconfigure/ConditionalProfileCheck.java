package io.surewrite.autoconfigure;

import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_TIMEOUT;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.RETRY_POLICY_CLASS;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS;
import static io.surewrite.autoconfigure.ConditionalWriteProperties.SERVER_WRITE_TIMEOUT;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.internal.core.specex.NoSpeculativeExecutionPolicy;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.NeverRetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Compares the execution profile for conditional writes, which the user may change, with what such writes need. */
final class ConditionalProfileCheck {

    private static final String REPEATS =
            "the driver may run a write again that was applied already, and report it as rejected";

    private ConditionalProfileCheck() {}

    static List<String> findings(DriverExecutionProfile profile) {
        String serial = profile.getString(REQUEST_SERIAL_CONSISTENCY).toUpperCase(Locale.ROOT);
        String commit = profile.getString(REQUEST_CONSISTENCY).toUpperCase(Locale.ROOT);
        List<String> sufficient = ConditionalWriteProperties.sufficient(serial);
        Duration timeout = profile.getDuration(REQUEST_TIMEOUT);
        boolean repeatable = profile.getBoolean(REQUEST_DEFAULT_IDEMPOTENCE);
        String retry = profile.getString(RETRY_POLICY_CLASS);
        String never = NeverRetryPolicy.class.getName();
        String speculation = profile.getString(SPECULATIVE_EXECUTION_POLICY_CLASS);
        String none = NoSpeculativeExecutionPolicy.class.getSimpleName();
        String misses = "a quorum read may miss a committed write";
        String givesUp = "the driver gives up before the server says what became of a write";
        return Stream.of(
                        finding(sufficient.contains(commit), REQUEST_CONSISTENCY, commit, misses, sufficient.get(0)),
                        finding(timeout.compareTo(SERVER_WRITE_TIMEOUT) > 0, REQUEST_TIMEOUT, timeout, givesUp, "5 s"),
                        finding(!repeatable, REQUEST_DEFAULT_IDEMPOTENCE, true, REPEATS, "false"),
                        finding(retry.equals(never), RETRY_POLICY_CLASS, retry, REPEATS, never),
                        finding(
                                speculation.endsWith(none),
                                SPECULATIVE_EXECUTION_POLICY_CLASS,
                                speculation,
                                REPEATS,
                                none))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<String> finding(
            boolean right, DefaultDriverOption option, Object actual, String reason, String fix) {
        return right
                ? Optional.empty()
                : Optional.of("Its profile %s has %s = %s: %s. Fix: %s"
                        .formatted(ConditionalWrites.PROFILE, option.getPath(), actual, reason, fix));
    }
}
