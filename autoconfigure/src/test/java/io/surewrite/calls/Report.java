package io.surewrite.calls;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the caller of a call got, and when.
 *
 * @param begin before the call, in nanoseconds of this JVM
 * @param begins of statements that were decided later: elements of a stream, what is written under a lease
 * @param acknowledged marks that were passed on one by one before the end
 * @param done how many statements are in effect for certain, says the outcome
 * @param attempts how many had begun then, of those that are counted
 */
record Report(
        Call call,
        Outcome outcome,
        long begin,
        Map<String, Long> begins,
        long end,
        Set<String> acknowledged,
        int done,
        int attempts,
        @Nullable Throwable failure) {

    enum Outcome {
        DONE,
        NOT_DONE,
        UNKNOWN,
        /** The caller did not wait. */
        GIVEN_UP
    }

    long begin(Note note) {
        return begins.getOrDefault(note.mark(), begin);
    }
}
