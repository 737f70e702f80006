package io.surewrite.autoconfigure;

import io.surewrite.unique.UniqueScanSettings;
import io.surewrite.unique.UniqueSettings;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Unique values.
 *
 * @param strict Whether a method of a constrained repository that writes past its constraints ends the start. Otherwise
 *     it is logged.
 * @param lease How long a writer that died keeps a value from others. Whole seconds, the same in all processes.
 * @param skewMargin How far the clocks of any two machines may be apart.
 * @param pendingWait How long to wait for another write of the same value to finish.
 * @param attemptTimeout How long one statement on the claims is repeated while its outcome is unknown.
 * @param timeout How long one call goes on when the cluster does not answer, before its outcome is reported as unknown.
 * @param valuesInMessages Whether exceptions show the values that are taken.
 * @param deleteAll What {@code deleteAll()} of a constrained repository does.
 * @param build Names of constraints whose claims are built for existing rows when the application has started.
 * @param scan How tables are looked at, to build, audit, repair and sweep claims.
 * @param sweep When the claims of writers that died are removed.
 */
@ConfigurationProperties(UniqueProperties.PREFIX)
record UniqueProperties(
        @DefaultValue("false") boolean strict,
        @DefaultValue("10s") Duration lease,
        @DefaultValue("500ms") Duration skewMargin,
        @DefaultValue("1s") Duration pendingWait,
        @DefaultValue("5s") Duration attemptTimeout,
        @DefaultValue("30s") Duration timeout,
        @DefaultValue("false") boolean valuesInMessages,
        @DefaultValue("rows") DeleteAll deleteAll,
        @DefaultValue List<String> build,
        @DefaultValue Scan scan,
        @DefaultValue Sweep sweep) {

    static final String PREFIX = "surewrite.unique";

    /** What {@code deleteAll()} of a constrained repository does. */
    enum DeleteAll {
        /** Deletes the rows one by one, and frees their values. */
        ROWS,
        /** Truncates the table and removes its claims. For tests: no other process may write the table meanwhile. */
        TRUNCATE
    }

    /**
     * How tables are looked at.
     *
     * @param inFlight How many rows at a time.
     * @param rowsPerSecond How many rows in a second at most; 0 for as many as go.
     * @param pageSize How many rows are read at once.
     * @param slices In how many parts a table is looked at: a power of two.
     */
    record Scan(
            @DefaultValue("32") int inFlight,
            @DefaultValue("0") int rowsPerSecond,
            @DefaultValue("500") int pageSize,
            @DefaultValue("1024") int slices) {

        UniqueScanSettings settings() {
            return new UniqueScanSettings(inFlight, rowsPerSecond, pageSize, slices);
        }
    }

    /**
     * When the claims of writers that died are removed.
     *
     * @param enabled Whether they are removed in the background. Without it, the next writer of such a value takes it over.
     * @param every How long to wait from one sweep to the next. At least one second.
     */
    record Sweep(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("1d") Duration every) {

        Sweep {
            PropertyCheck.require(
                    every.toSeconds() >= 1, PREFIX + ".sweep.every", every, "It must be at least a second.");
        }
    }

    UniqueProperties {
        var unused = PropertyCheck.settings(PREFIX, () -> {
            new UniqueSettings(lease, skewMargin, pendingWait, attemptTimeout, timeout, valuesInMessages);
            return scan.settings();
        });
    }

    UniqueSettings settings() {
        return new UniqueSettings(lease, skewMargin, pendingWait, attemptTimeout, timeout, valuesInMessages);
    }
}
