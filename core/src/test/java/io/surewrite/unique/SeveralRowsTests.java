package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import io.surewrite.write.PartlyDoneException;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteScope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** One statement that deletes several rows, of which one fails. */
class SeveralRowsTests {

    private static final ClaimsUnavailableException NOT_WRITTEN =
            new ClaimsUnavailableException("delete: the row was not written", null);

    private static CompletionStage<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    private static CompletableFuture<AsyncResultSet> deletion(RuntimeException last, int before) {
        List<Supplier<CompletionStage<Void>>> calls =
                new ArrayList<>(Collections.nCopies(before, SeveralRowsTests::done));
        calls.add(() -> CompletableFuture.failedFuture(last));
        calls.add(() -> {
            throw new AssertionError("nothing is begun after a failure");
        });
        return GuardedTable.answered(calls, () -> {
                    throw new AssertionError("it is not done");
                })
                .toCompletableFuture();
    }

    @Test
    void isPartlyDoneWhereRowsBeforeItAreDeleted() {
        assertThatThrownBy(deletion(NOT_WRITTEN, 2)::join)
                .cause()
                .isInstanceOfSatisfying(PartlyDoneException.class, partly -> {
                    assertThat(partly).hasCause(NOT_WRITTEN);
                    assertThat(partly.done()).isEqualTo(2);
                    assertThat(partly.undecided()).isZero();
                });
        assertThatThrownBy(deletion(new UnknownOutcomeException("unknown", null), 1)::join)
                .cause()
                .isInstanceOfSatisfying(
                        PartlyDoneException.class,
                        partly -> assertThat(partly.undecided()).isEqualTo(1));
    }

    /** Who retries must see whether it may, and counts by itself. */
    @Test
    void isWhatTheRowSaysInARetry() {
        CompletableFuture<AsyncResultSet> retried = WriteScope.at(7).call(() -> deletion(NOT_WRITTEN, 1));
        assertThatThrownBy(retried::join).hasCause(NOT_WRITTEN);
    }
}
