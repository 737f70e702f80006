package io.surewrite.schema.tables;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a feature may begin that all users of a table have to know. */
final class UpgradeWatch implements BooleanSupplier {

    /** Long enough for every process to hear that it is too old, also for one that just lost its control connection. */
    static final Duration SETTLING = Duration.ofMinutes(2);

    private static final Logger log = LoggerFactory.getLogger(UpgradeWatch.class);

    private final String feature;
    private final TableDefinition definition;
    private final int version;
    private final IntSupplier needed;
    private final LongSupplier nanoTime;
    private volatile boolean complete;
    private @Nullable Long seenAt;
    private boolean said;

    UpgradeWatch(String feature, TableDefinition definition, int version, IntSupplier needed, LongSupplier nanoTime) {
        this.feature = feature;
        this.definition = definition;
        this.version = version;
        this.needed = needed;
        this.nanoTime = nanoTime;
    }

    @Override
    public boolean getAsBoolean() {
        return complete || look();
    }

    private synchronized boolean look() {
        if (needed.getAsInt() < version) {
            if (!said) {
                said = true;
                log.warn(
                        "{} waits until every process that uses {} is of version {} of the table. Once the last older one has ended, run: {}",
                        feature,
                        definition.qualifiedName(),
                        version,
                        definition.ddlOfNeeds(version));
            }
            return false;
        }
        long now = nanoTime.getAsLong();
        if (seenAt == null) {
            seenAt = now;
            log.info(
                    "{} begins in {}: {} is closed to processes before version {}",
                    feature,
                    SETTLING,
                    definition.qualifiedName(),
                    version);
        }
        complete = now - seenAt >= SETTLING.toNanos();
        if (complete) {
            log.info("{} begins", feature);
        }
        return complete;
    }
}
