package io.surewrite.autoconfigure;

import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_TIMEOUT;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.RETRY_POLICY_CLASS;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.internal.core.specex.NoSpeculativeExecutionPolicy;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.NeverRetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Compares the execution profile for conditional writes, which the user may change, with what such writes need. */
final class ConditionalProfileCheck {

    /** The profile in the driver's own configuration format. */
    static final String SNIPPET = """
            datastax-java-driver.profiles.%s {
              basic.request {
                timeout = 5 seconds
                consistency = QUORUM
                serial-consistency = SERIAL
                default-idempotence = false
              }
              advanced.retry-policy.class = %s
              advanced.speculative-execution-policy.class = NoSpeculativeExecutionPolicy
            }""".formatted(ConditionalWrites.PROFILE, NeverRetryPolicy.class.getName());

    private final DriverExecutionProfile profile;
    private final List<String> findings = new ArrayList<>();

    private ConditionalProfileCheck(DriverExecutionProfile profile) {
        this.profile = profile;
    }

    static List<String> findings(DriverExecutionProfile profile) {
        ConditionalProfileCheck check = new ConditionalProfileCheck(profile);
        check.consistency();
        check.timeout();
        check.repetition();
        return check.findings;
    }

    private void consistency() {
        String serial = profile.getString(REQUEST_SERIAL_CONSISTENCY).toUpperCase(Locale.ROOT);
        String commit = profile.getString(REQUEST_CONSISTENCY).toUpperCase(Locale.ROOT);
        List<String> sufficient = ConditionalWriteProperties.sufficient(serial);
        if (!sufficient.contains(commit)) {
            add(REQUEST_CONSISTENCY, commit, "a quorum read may miss a committed write", sufficient.get(0));
        }
    }

    private void timeout() {
        Duration timeout = profile.getDuration(REQUEST_TIMEOUT);
        if (timeout.compareTo(ConditionalWriteProperties.SERVER_WRITE_TIMEOUT) <= 0) {
            add(REQUEST_TIMEOUT, timeout, "the driver gives up before the server says what became of a write", "5 s");
        }
    }

    private void repetition() {
        String reason = "the driver may run a write again that was applied already, and report it as rejected";
        if (profile.getBoolean(REQUEST_DEFAULT_IDEMPOTENCE)) {
            add(REQUEST_DEFAULT_IDEMPOTENCE, true, reason, "false");
        }
        String retry = profile.getString(RETRY_POLICY_CLASS);
        if (!retry.equals(NeverRetryPolicy.class.getName())) {
            add(RETRY_POLICY_CLASS, retry, reason, NeverRetryPolicy.class.getName());
        }
        String speculation = profile.getString(SPECULATIVE_EXECUTION_POLICY_CLASS);
        if (!speculation.endsWith(NoSpeculativeExecutionPolicy.class.getSimpleName())) {
            add(SPECULATIVE_EXECUTION_POLICY_CLASS, speculation, reason, "NoSpeculativeExecutionPolicy");
        }
    }

    private void add(DefaultDriverOption option, Object actual, String reason, String fix) {
        findings.add("Its profile %s has %s = %s: %s. Fix: %s"
                .formatted(ConditionalWrites.PROFILE, option.getPath(), actual, reason, fix));
    }
}
