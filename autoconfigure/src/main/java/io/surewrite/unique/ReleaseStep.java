package io.surewrite.unique;

import io.surewrite.unique.ClaimAnswer.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Frees values that a row does not have any more. */
final class ReleaseStep {

    private ReleaseStep() {}

    /**
     * How it went.
     *
     * @param overtaken the timestamp of a claim that the row has got again since, or null
     * @param unclear the failure of a statement without a clear answer, or null
     */
    record Released(@Nullable Long overtaken, @Nullable Throwable unclear) {}

    /**
     * @param below the timestamp of the write that took the values off the row
     */
    static CompletionStage<Released> run(GuardCall call, List<ClaimKey> values, long below) {
        return All.of(
                        values,
                        value -> call.askClaims(() -> call.parts().claims().release(value, call.owner(), below)))
                .thenApply(answers -> released(call, answers, below));
    }

    private static Released released(GuardCall call, List<ClaimAnswer> answers, long below) {
        Throwable unclear = null;
        List<Long> overtaken = new ArrayList<>();
        for (ClaimAnswer answer : answers) {
            if (answer instanceof ClaimAnswer.Unclear failed) {
                unclear = failed.cause();
            } else if (answer instanceof Refused refused
                    && refused.seen() != null
                    && refused.seen().isOf(call.owner())
                    && refused.seen().claim().writeTs() >= below) {
                overtaken.add(refused.seen().claim().writeTs());
            }
        }
        return new Released(overtaken.stream().max(Long::compare).orElse(null), unclear);
    }
}
