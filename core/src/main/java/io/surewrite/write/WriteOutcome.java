package io.surewrite.write;

import com.datastax.oss.driver.api.core.cql.Row;
import org.jspecify.annotations.Nullable;

/** What became of one conditional write, as a value: done, not done, or unknown. */
public sealed interface WriteOutcome {

    /** {@return the last failure, where the condition got no clear answer; null where it did} */
    default @Nullable RuntimeException cause() {
        return null;
    }

    /** The condition held and the write is in effect, now or from an earlier attempt with the same token. */
    record Applied() implements WriteOutcome {}

    /**
     * The condition did not hold, which is itself a linearized answer.
     *
     * @param row the columns named in the condition (all columns for {@code IF NOT EXISTS}), or null if there is no row
     */
    record Rejected(@Nullable Row row) implements WriteOutcome {}

    /** The write certainly has no effect and never will: it was refused before any replica could accept it. */
    record Failed(RuntimeException cause) implements WriteOutcome {}

    /** The write may have been applied, or may still be. Running the identical write again, with its token, decides it. */
    record Unknown(RuntimeException cause) implements WriteOutcome {}
}
