package io.surewrite.autoconfigure;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_SERIAL;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.QUORUM;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.surewrite.internal.lwt.ConditionalProfile;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How conditional writes (lightweight transactions) run.
 *
 * @param serialConsistency Where the condition is decided: SERIAL over all data centres, LOCAL_SERIAL in the local one.
 *     One level for all who write a table.
 * @param consistency Consistency at which a decided write is committed. Default is QUORUM, with LOCAL_SERIAL
 *     LOCAL_QUORUM.
 * @param requestTimeout How long the driver waits for one attempt. Above the server's write timeout.
 * @param attemptTimeout How long one statement of a lease or a claim is repeated while its outcome is unknown.
 */
@ConfigurationProperties(ConditionalWriteProperties.PREFIX)
record ConditionalWriteProperties(
        @DefaultValue("serial") DefaultConsistencyLevel serialConsistency,
        @Nullable DefaultConsistencyLevel consistency,
        @DefaultValue("5s") Duration requestTimeout,
        @DefaultValue("5s") Duration attemptTimeout) {

    static final String PREFIX = "surewrite.conditional";

    /** Cassandra's default {@code write_request_timeout}. */
    static final Duration SERVER_WRITE_TIMEOUT = Duration.ofSeconds(2);

    ConditionalWriteProperties {
        PropertyCheck.require(
                serialConsistency.isSerial(),
                PREFIX + ".serial-consistency",
                serialConsistency,
                "it must be SERIAL or LOCAL_SERIAL");
        List<String> sufficient = sufficient(serialConsistency.name());
        PropertyCheck.require(
                consistency == null || sufficient.contains(consistency.name()),
                PREFIX + ".consistency",
                consistency,
                "with serial consistency %s it must be one of %s; after a weaker commit a quorum read may miss the write"
                        .formatted(serialConsistency, sufficient));
        PropertyCheck.require(
                requestTimeout.compareTo(SERVER_WRITE_TIMEOUT) > 0,
                PREFIX + ".request-timeout",
                requestTimeout.toMillis() + "ms",
                "it must be above the server's write timeout (2s unless changed); otherwise the driver gives up"
                        + " before the server can say what became of the write");
    }

    /** The commit consistency that is set, or the default that goes with the serial consistency in force. */
    DefaultConsistencyLevel consistencyFor(String serialConsistency) {
        if (consistency != null) {
            return consistency;
        }
        return serialConsistency.equals(LOCAL_SERIAL.name()) ? LOCAL_QUORUM : QUORUM;
    }

    /** What conditional writes need of a session that was not built by the builder that Boot offers. */
    ConditionalProfile profile() {
        return new ConditionalProfile(serialConsistency, consistencyFor(serialConsistency.name()), requestTimeout);
    }

    /** The commit consistencies after which every quorum read (of the data centre, if local) sees the write. */
    static List<String> sufficient(String serialConsistency) {
        return serialConsistency.equals(LOCAL_SERIAL.name())
                ? List.of("LOCAL_QUORUM", "QUORUM", "EACH_QUORUM", "ALL")
                : List.of("QUORUM", "EACH_QUORUM", "ALL");
    }
}
