package io.surewrite.lease.tenure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The table of leases as a sweep goes through it. The simulation brings its own. */
interface LeaseRows {

    /**
     * A row that no process held when it was read.
     *
     * @param name the name
     * @param epoch its epoch
     * @param untouched how long ago it was used, by the clocks of the nodes, as far as the row shows it
     */
    record FreeRow(String name, long epoch, Duration untouched) {}

    /**
     * Some rows.
     *
     * @param free those of them that were free
     * @param next reads those that follow; null at the end of the table
     */
    record Page(List<FreeRow> free, @Nullable Supplier<CompletionStage<Page>> next) {}

    /** {@return the first page} */
    CompletionStage<Page> first();

    /**
     * Raises the floor if it is what it is expected to be. A majority has it when this is done. It is done, too, if the floor
     * is that high already.
     *
     * @param expected the floor as it was last seen; 0 if there is none yet
     */
    CompletionStage<LeaseAnswer> raiseFloor(long expected, long floor, Duration timeout);

    /** Removes the row of a name if no process holds it and its epoch is this one. */
    CompletionStage<LeaseAnswer> remove(String name, long epoch, Duration timeout);
}
