package io.surewrite.unique;

import java.util.Optional;
import java.util.stream.IntStream;

/** A row as one read at quorum showed it. The read makes it, and may keep in it what a restoration needs. */
interface RowSnapshot {

    /** The time of what was never written, or is a part of the primary key: older than everything. */
    long NEVER = Long.MIN_VALUE;

    String owner();

    /** Whether anything of the row is there, be it the primary key alone. */
    boolean exists();

    /** The timestamp of the newest of all columns that are not null. */
    long newestWrite();

    /** The row's value, as far as it is claimed; a row that was there before the constraint may have one that cannot be. */
    Optional<UniqueValue> value(UniqueConstraint constraint);

    /** Whether the row shows what nothing can be claimed for, such as a text that is too long. */
    default boolean isUnclaimable(UniqueConstraint constraint) {
        return false;
    }

    long writtenAt(UniqueConstraint constraint, int component);

    /** When the newest part of the value was written. */
    default long writtenAt(UniqueConstraint constraint) {
        return IntStream.range(0, constraint.components().size())
                .mapToLong(component -> writtenAt(constraint, component))
                .max()
                .orElse(NEVER);
    }
}
