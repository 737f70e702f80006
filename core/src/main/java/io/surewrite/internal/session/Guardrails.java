package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.write.InvalidConfigurationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * What an operator has forbidden that writes with {@code USING TIMESTAMP} need, as far as the session may read it. A node
 * says what it is configured for; another one may be configured otherwise, and refuses at the first write.
 */
public final class Guardrails {

    private static final Logger log = LoggerFactory.getLogger(Guardrails.class);

    /** As far as {@code surewrite.clock.max-offset} lets them be by default. */
    private static final Duration CLOCKS_APART = Duration.ofSeconds(5);

    /** So it is called from Cassandra 5.0 on. */
    private static final String AUTHENTICATOR = "authenticator.class_name";

    /** And before that. A server of today that is asked for it warns, and the driver logs the warning. */
    private static final String EARLIER_AUTHENTICATOR = "authenticator";

    private static final List<String> ASKED = List.of(
            AUTHENTICATOR,
            "user_timestamps_enabled",
            "maximum_timestamp_fail_threshold",
            "minimum_timestamp_fail_threshold");

    private static final String NO_USERS = "AllowAllAuthenticator";

    private Guardrails() {}

    /**
     * Refuses a feature that says timestamps in its statements where an operator has forbidden that, or where a policy would report
     * its writes as done while too few replicas have them.
     *
     * @param old whether the feature also writes at timestamps of long ago
     */
    public static void requireTimestamps(String feature, String name, CqlSession session, boolean old) {
        InvalidConfigurationException policy = WeakPolicies.refusal(feature, name, session);
        if (policy != null) {
            throw policy;
        }
        List<String> problems = againstTimestamps(session, old);
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(
                    feature,
                    "%s cannot work on the server of the session '%s': %s."
                            .formatted(feature, name, String.join("; ", problems)),
                    "Change the guardrails, or do without the feature.",
                    "compatibility");
        }
    }

    /** {@return what is in the way, and the fix, a sentence each; empty if nothing is, or if that cannot be read} */
    static List<String> againstTimestamps(CqlSession session, boolean old) {
        try {
            Map<String, String> settings = settings(session, ASKED);
            List<String> problems = problems(settings, old);
            if (problems.isEmpty() || settings.containsKey(AUTHENTICATOR)) {
                return problems;
            }
            settings.putAll(settings(session, List.of(EARLIER_AUTHENTICATOR)));
            return problems(settings, old);
        } catch (RuntimeException unreadable) { // no such table, no right to read it, or no answer
            log.debug("The server's guardrails cannot be read", unreadable);
            return List.of();
        }
    }

    private static Map<String, String> settings(CqlSession session, List<String> names) {
        String query = "SELECT name, value FROM system_views.settings WHERE name IN ('%s')"
                .formatted(String.join("', '", names));
        Map<String, String> settings = new HashMap<>();
        for (Row row :
                session.execute(SimpleStatement.newInstance(query).setConsistencyLevel(ConsistencyLevel.LOCAL_ONE))) {
            settings.put(String.valueOf(row.getString("name")), String.valueOf(row.getString("value")));
        }
        return settings;
    }

    static List<String> problems(Map<String, String> settings, boolean old) {
        List<String> problems = new ArrayList<>();
        if (settings.getOrDefault(EARLIER_AUTHENTICATOR, "").contains(NO_USERS)
                || settings.getOrDefault(AUTHENTICATOR, "").contains(NO_USERS)) {
            return problems; // guardrails bind ordinary users
        }
        if ("false".equalsIgnoreCase(settings.get("user_timestamps_enabled"))) {
            problems.add(
                    "user_timestamps_enabled is false, so that the server refuses USING TIMESTAMP. Fix: set it to true in cassandra.yaml of each node");
        }
        Duration ahead = duration(settings.get("maximum_timestamp_fail_threshold"));
        if (ahead != null && ahead.compareTo(CLOCKS_APART) < 0) {
            problems.add(
                    "maximum_timestamp_fail_threshold is %s, and clocks may be apart by %s: the server would refuse writes of processes whose clock is ahead. Fix: raise it in cassandra.yaml of each node"
                            .formatted(ahead, CLOCKS_APART));
        }
        Duration behind = duration(settings.get("minimum_timestamp_fail_threshold"));
        if (behind != null && old) {
            problems.add(
                    "minimum_timestamp_fail_threshold is %s, and rows are also written at timestamps of long ago. Fix: take it out of cassandra.yaml of each node"
                            .formatted(behind));
        }
        return problems;
    }

    private static @Nullable Duration duration(@Nullable String setting) {
        try {
            return DurationFormatterUtils.parse(String.valueOf(setting).replace('µ', 'u'), DurationFormat.Style.SIMPLE);
        } catch (IllegalArgumentException none) { // as null, which is no limit
            return null;
        }
    }
}
