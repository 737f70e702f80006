package io.surewrite.cql;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one conditional write means to a protocol, which knows its rows: done, refused by a row, denied by the cluster, or
 * unclear. {@link WriteOutcome} says the same of a row of the driver.
 *
 * @param <R> what the protocol sees of the row that was in the way
 */
public sealed interface ConditionalAnswer<R> {

    /**
     * It is in effect.
     *
     * @param <R> what the protocol sees of a row
     */
    record Done<R>() implements ConditionalAnswer<R> {}

    /**
     * It is not in effect: its condition did not hold.
     *
     * @param seen the row that it met, as far as the condition names it; null if there is none
     * @param <R> what the protocol sees of a row
     */
    record Refused<R>(@Nullable R seen) implements ConditionalAnswer<R> {}

    /**
     * It is not in effect and never will be: the cluster refuses the statement, for want of rights or of the table.
     *
     * @param cause the refusal
     * @param <R> what the protocol sees of a row
     */
    record Denied<R>(Throwable cause) implements ConditionalAnswer<R> {}

    /**
     * It may be in effect, now or later.
     *
     * @param cause the last failure
     * @param <R> what the protocol sees of a row
     */
    record Unclear<R>(Throwable cause) implements ConditionalAnswer<R> {}

    /**
     * Reads an outcome. One that certainly has no effect is unclear too: a protocol goes on as if it might have.
     *
     * @param outcome of the write
     * @param read makes of a row what the protocol sees of it; null if the row stands for none
     * @param <R> what the protocol sees of a row
     * @return done, refused or unclear
     */
    static <R> ConditionalAnswer<R> of(WriteOutcome outcome, Function<Row, @Nullable R> read) {
        if (outcome instanceof WriteOutcome.Rejected rejected) {
            Row row = rejected.row();
            return new Refused<>(row == null ? null : read.apply(row));
        }
        if (outcome instanceof WriteOutcome.Failed failed) {
            return new Unclear<>(failed.cause());
        }
        return outcome instanceof WriteOutcome.Unknown unknown ? new Unclear<>(unknown.cause()) : new Done<>();
    }
}
