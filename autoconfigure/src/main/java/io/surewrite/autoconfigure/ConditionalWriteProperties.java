package io.surewrite.autoconfigure;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_SERIAL;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.surewrite.internal.lwt.ConditionalProfile;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How conditional writes (lightweight transactions) run.
 *
 * @param serialConsistency Where the condition is decided: SERIAL over all data centres, LOCAL_SERIAL in the local one.
 *     One level for all who write a table.
 * @param requestTimeout How long the driver waits for one attempt. Above the server's write timeout.
 * @param attemptTimeout How long one statement of a lease or a claim is repeated while its outcome is unknown.
 */
@ConfigurationProperties(ConditionalWriteProperties.PREFIX)
record ConditionalWriteProperties(
        @DefaultValue("serial") DefaultConsistencyLevel serialConsistency,
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
        PropertyCheck.require(
                requestTimeout.compareTo(SERVER_WRITE_TIMEOUT) > 0,
                PREFIX + ".request-timeout",
                requestTimeout.toMillis() + "ms",
                "it must be above the server's write timeout (2s unless changed); otherwise the driver gives up"
                        + " before the server can say what became of the write");
    }

    ConditionalProfile profile() {
        String commit = sufficient(serialConsistency.name()).get(0);
        return new ConditionalProfile(serialConsistency, DefaultConsistencyLevel.valueOf(commit), requestTimeout);
    }

    /** The commit consistencies after which every quorum read (of the data centre, if local) sees the write; first the usual one. */
    static List<String> sufficient(String serialConsistency) {
        return serialConsistency.equals(LOCAL_SERIAL.name())
                ? List.of("LOCAL_QUORUM", "QUORUM", "EACH_QUORUM", "ALL")
                : List.of("QUORUM", "EACH_QUORUM", "ALL");
    }
}
