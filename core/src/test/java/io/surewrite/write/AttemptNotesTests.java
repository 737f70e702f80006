package io.surewrite.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.write.AttemptNotes.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an attempt is known to have done, from what its statements met. */
class AttemptNotesTests {

    private static final Throwable REFUSED = new RequestThrottlingException("full");
    private static final Throwable LATE = new DriverTimeoutException("late");
    private static final Throwable OF_THE_CALLER = new IllegalStateException("mine");

    private final WriteScope scope = new WriteScope(1, true, true, null, null);
    private final AttemptNotes notes = scope.statements();

    @Test
    void countsWhatIsAcknowledgedRefusedAndUnanswered() {
        List<Statement<?>> sent = send(6);
        notes.acknowledged(sent.get(0));
        notes.acknowledged(sent.get(1));
        notes.failed(sent.get(2), REFUSED);
        notes.failed(sent.get(3), LATE);
        notes.awaited(sent.get(4));
        assertThat(tally(OF_THE_CALLER)).isEqualTo(new Tally(2, 3));
        assertThat(tally(OF_THE_CALLER)).as("of the next attempt").isEqualTo(new Tally(0, 0));
    }

    @Test
    void isARepetitionOnlyOfWhatMayHaveBeenDone() {
        Statement<?> refused = send(1).get(0);
        notes.failed(refused, REFUSED);
        tally(REFUSED);
        assertThat(notes.isRepetition()).isFalse();
        Object settled = new Object();
        notes.begun(settled);
        notes.settled(settled, false);
        tally(REFUSED);
        assertThat(notes.isRepetition()).isFalse();
        notes.begun(settled);
        notes.settled(settled, true);
        tally(REFUSED);
        assertThat(notes.isRepetition()).isTrue();
    }

    @Test
    void readsAnswersWhenTheAttemptEnds() {
        List<Statement<?>> sent = send(6);
        CompletableFuture<Object> later = new CompletableFuture<>();
        notes.awaited(sent.get(0), later);
        notes.awaited(sent.get(1), CompletableFuture.completedFuture("row"));
        notes.awaited(sent.get(2), CompletableFuture.failedFuture(REFUSED));
        notes.awaited(sent.get(3), CompletableFuture.failedFuture(LATE));
        notes.awaited(sent.get(4), new CompletableFuture<>());
        notes.awaited(sent.get(5), later);
        later.complete("row");
        assertThat(tally(OF_THE_CALLER)).isEqualTo(new Tally(3, 2));

        // Whoever waits for the answer hears of it before us.
        List<Statement<?>> two = send(2);
        CompletableFuture<Object> second = new CompletableFuture<>();
        notes.awaited(two.get(0), CompletableFuture.failedFuture(REFUSED));
        notes.awaited(two.get(1), second);
        List<Tally> heard = new ArrayList<>();
        var unused = second.whenComplete((row, failure) -> heard.add(tally(REFUSED)));
        second.completeExceptionally(REFUSED);
        assertThat(heard).containsExactly(new Tally(0, 0));
    }

    @Test
    void doesNotKnowWhetherAConditionHeld() {
        Statement<?> conditional =
                scope.applyTo(SimpleStatement.newInstance("INSERT INTO t (k) VALUES (1) IF NOT EXISTS"));
        notes.acknowledged(conditional);
        assertThat(tally(REFUSED)).isEqualTo(new Tally(0, 1));
    }

    @Test
    void takesAnAttemptsFailureForThatOfTheStatementThatItNames() {
        assertThat(tally(met(send(1).get(0), new RequestThrottlingException("full"))))
                .isEqualTo(new Tally(0, 0));
        assertThat(tally(met(send(1).get(0), new DriverTimeoutException("late"))))
                .isEqualTo(new Tally(0, 1));
        assertThat(tally(met(send(2).get(1), new RequestThrottlingException("full"))))
                .isEqualTo(new Tally(0, 1));
        assertThat(tally(new IllegalStateException(met(send(2).get(0), new RequestThrottlingException("full")))))
                .isEqualTo(new Tally(0, 1));
    }

    private static DriverException met(Statement<?> statement, DriverException failure) {
        failure.setExecutionInfo(FakeNode.told(statement, List.of(), 0));
        return failure;
    }

    /** On a thread that the scope was carried to, a retried call repeats itself. */
    @Test
    void aCallOfItsOwnCountsForTheOneAroundItToo() {
        WriteScope inner = new WriteScope(3, true, true, null, null);
        WriteScope.enterElsewhere(scope);
        WriteScope.Opened opened = inner.open();
        try {
            WriteScope here = Objects.requireNonNull(WriteScope.current());
            Statement<?> sent = here.applyTo(SimpleStatement.newInstance("INSERT INTO t (k) VALUES (1)"));
            assertThat(sent.getQueryTimestamp()).isEqualTo(1);
            here.statements().acknowledged(sent);
        } finally {
            opened.close();
            WriteScope.restore(null);
        }
        assertThat(inner.statements().tally(REFUSED, WriteFailures::ofPlain)).isEqualTo(new Tally(1, 0));
        assertThat(tally(REFUSED)).isEqualTo(new Tally(1, 0));
    }

    private List<Statement<?>> send(int many) {
        List<Statement<?>> sent = new ArrayList<>();
        IntStream.range(0, many)
                .forEach(i ->
                        sent.add(scope.applyTo(SimpleStatement.newInstance("INSERT INTO t (k) VALUES (" + i + ")"))));
        return sent;
    }

    private Tally tally(Throwable failure) {
        return notes.tally(failure, WriteFailures::ofPlain);
    }
}
