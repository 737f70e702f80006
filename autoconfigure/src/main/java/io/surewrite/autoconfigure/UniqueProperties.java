package io.surewrite.autoconfigure;

import io.surewrite.unique.UniqueSettings;
import io.surewrite.unique.WholeTable.UniqueScanSettings;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Unique values.
 *
 * @param lease How long a writer that died keeps a value from others. Whole seconds, the same in all processes.
 * @param pendingWait How long to wait for another write of the same value to finish.
 * @param timeout How long one call goes on when the cluster does not answer, before its outcome is reported as unknown.
 * @param valuesInMessages Whether exceptions show the values that are taken.
 * @param repair Names of constraints that are repaired when the application has started, so that existing rows get their
 *     claims.
 * @param rowsPerSecond How many rows in a second are looked at, at most, to audit and repair claims; 0 for as many as go.
 */
@ConfigurationProperties(UniqueProperties.PREFIX)
record UniqueProperties(
        @DefaultValue("10s") Duration lease,
        @DefaultValue("1s") Duration pendingWait,
        @DefaultValue("30s") Duration timeout,
        @DefaultValue("false") boolean valuesInMessages,
        @DefaultValue List<String> repair,
        @DefaultValue("0") int rowsPerSecond) {

    static final String PREFIX = "surewrite.unique";

    private static final int IN_FLIGHT = 32;
    private static final int PAGE_SIZE = 500;
    private static final int SLICES = 1024;

    UniqueSettings settings(Duration clockMargin, Duration attemptTimeout) {
        return PropertyCheck.settings(
                PREFIX,
                "unique",
                () -> new UniqueSettings(lease, clockMargin, pendingWait, attemptTimeout, timeout, valuesInMessages));
    }

    UniqueScanSettings scans() {
        return PropertyCheck.settings(
                PREFIX, "unique", () -> new UniqueScanSettings(IN_FLIGHT, rowsPerSecond, PAGE_SIZE, SLICES));
    }
}
