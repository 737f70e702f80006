package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.schema.GcGrace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How old a write may become. Whatever deletes it carries a later timestamp and was made after it, so that its tombstone
 * is there at least until {@code gc_grace_seconds} after the write's own timestamp.
 */
final class Age {

    private long oldest;
    private @Nullable Duration grace;

    Age(long timestamp) {
        this.oldest = timestamp;
    }

    /** The text states a timestamp; 0 if it is left out after all. */
    void stated(long timestamp) {
        if (timestamp != 0) {
            oldest = Math.min(oldest, timestamp);
        }
    }

    void among(TableMetadata table, List<String> reasons, Duration margin) {
        Duration kept = GcGrace.of(table);
        if (kept == null || kept.compareTo(margin) <= 0) {
            reasons.add(
                    "gc_grace_seconds = %s of table %s is not above the margin of %s: a write that waits could bring deleted data back. Instead, raise it"
                            .formatted(
                                    kept == null ? "(unknown)" : kept.toSeconds(),
                                    table.getName().asCql(true),
                                    margin));
        }
        atMost(kept);
    }

    /** A table keeps its tombstones for so long; null if nobody knows. */
    void atMost(@Nullable Duration kept) {
        if (kept != null && (grace == null || kept.compareTo(grace) < 0)) {
            grace = kept;
        }
    }

    /** When the write becomes too old, or null if no table is known. */
    @Nullable
    Instant usefulUntil(Duration margin) {
        return grace == null ? null : BacklogEntry.instant(oldest).plus(grace).minus(margin);
    }
}
