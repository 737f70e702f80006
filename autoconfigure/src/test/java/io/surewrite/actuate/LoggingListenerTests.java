package io.surewrite.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteListener.Call;
import io.surewrite.cql.WriteListener.End;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessResourceFailureException;

/** What whoever reads the log of an application gets to see. */
@ExtendWith(OutputCaptureExtension.class)
class LoggingListenerTests {

    private final Exception secret =
            new DataAccessResourceFailureException("secret", new IllegalStateException("secret too"));

    private final AtomicLong nanos = new AtomicLong();
    private final LoggingListener listener = new LoggingListener(nanos::get);

    @Test
    void saysInOneLineHowAWriteEndedAndWhyWithoutValues(CapturedOutput output) {
        fail("People.save", End.UNKNOWN, 3);
        assertThat(lines(output))
                .singleElement()
                .asString()
                .contains("WARN")
                .contains("People.save: given up after 3 attempt(s), it may be in effect, or come into effect."
                        + " The last failed: IllegalStateException, unknown");
        fail("People.rename", End.EXHAUSTED, 3);
        fail("People.delete", End.SUCCEEDED, 2);
        assertThat(lines(output)).hasSize(3);
        assertThat(output)
                .contains("People.rename: given up after 3 attempt(s), it is not in effect.")
                .contains("People.delete: succeeded after 2 attempts, one failed: IllegalStateException, unknown")
                .doesNotContain("secret");
    }

    @Test
    void saysNothingOfWhatGoesWell(CapturedOutput output) {
        listener.started("People.save").ended(End.SUCCEEDED, 1);
        Call foreign = listener.started("People.save");
        foreign.attemptFailed(1, FailureKind.OTHER, secret);
        foreign.ended(End.FAILED, 1);
        assertThat(lines(output)).isEmpty();
    }

    @Test
    void leavesWhatWasNotSentToTheLineOfTheOpenBreaker(CapturedOutput output) {
        listener.started("People.save").ended(End.EXHAUSTED, 0);
        assertThat(lines(output)).isEmpty();
    }

    /** A cluster that is away for an hour must not fill the disk. */
    @Test
    void hasALineAMinuteForWhatGoesOn(CapturedOutput output) {
        for (int i = 0; i < 1_000; i++) {
            fail("People.save", End.EXHAUSTED, 3);
        }
        assertThat(lines(output)).hasSize(1);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
        fail("People.save", End.EXHAUSTED, 3);
        fail("People.rename", End.EXHAUSTED, 3);
        assertThat(lines(output)).hasSize(3);
        assertThat(lines(output).get(1)).endsWith("(and 999 like it since the last such line)");
        assertThat(lines(output).get(2)).as("another kind").doesNotContain("like it");
    }

    /** Nobody could tell which lease, or which write, a conditional statement was for. */
    @Test
    void leavesTheStepsOfALeaseToTheLineOfTheLeases(CapturedOutput output) {
        fail("conditional", End.UNKNOWN, 5);
        fail("conditional", End.EXHAUSTED, 5);
        assertThat(lines(output)).isEmpty();
    }

    /** While it tries, every few seconds, whether the cluster is back, its state changes all the time. */
    @Test
    void saysWhenABreakerOpensAndWhenItCloses(CapturedOutput output) {
        for (int i = 0; i < 100; i++) {
            listener.circuitChanged("application", "OPEN");
            listener.circuitChanged("application", "HALF_OPEN");
        }
        listener.circuitChanged("application", "CLOSED");
        assertThat(lines(output)).hasSize(2);
        assertThat(output)
                .contains("The circuit breaker of Cassandra writes of application is open")
                .contains("The circuit breaker of Cassandra writes of application is closed");
    }

    private void fail(String operation, End end, int attempts) {
        Call call = listener.started(operation);
        call.attemptFailed(1, FailureKind.UNKNOWN, secret);
        call.ended(end, attempts);
    }

    private static List<String> lines(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("LoggingListener"))
                .toList();
    }
}
