package io.surewrite.unique;

import java.util.Optional;
import java.util.stream.IntStream;

/** A row as one read at quorum showed it. The read makes it, and may keep in it what a restoration needs. */
interface RowSnapshot {

    /** The time of what was never written, or is a part of the primary key: older than everything. */
    long NEVER = Long.MIN_VALUE;

    String owner();

    /** {@return whether anything of the row is there, be it the primary key alone} */
    boolean exists();

    /**
     * {@return the write timestamp of the newest of all columns that are not null, in microseconds; {@link #NEVER} if
     * there is none}
     */
    long newestWrite();

    /**
     * The row's value of a constraint, as far as a claim can be on it.
     *
     * @return the value; empty if there is no row, if the constraint claims nothing for it, such as a null, and if nothing
     *     can be claimed for it, such as a text that is too long, as rows may have that were there before the constraint
     */
    Optional<UniqueValue> value(UniqueConstraint constraint);

    /**
     * Whether the row shows what nothing can be claimed for, such as a text that is too long.
     *
     * @return whether {@link #value} is empty for that reason
     */
    default boolean isUnclaimable(UniqueConstraint constraint) {
        return false;
    }

    /**
     * When a part of the value was written.
     *
     * @return microseconds; {@link #NEVER} for a null and for a part of the primary key
     */
    long writtenAt(UniqueConstraint constraint, int component);

    /**
     * When the value was written.
     *
     * @return the write timestamp of its newest part, in microseconds; {@link #NEVER} if no part has one
     */
    default long writtenAt(UniqueConstraint constraint) {
        return IntStream.range(0, constraint.components().size())
                .mapToLong(component -> writtenAt(constraint, component))
                .max()
                .orElse(NEVER);
    }
}
