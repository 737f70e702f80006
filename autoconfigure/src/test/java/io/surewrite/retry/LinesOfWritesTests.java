package io.surewrite.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.observe.QuietLog;
import io.surewrite.retry.ScopedRetryTemplate.RetrySupport;
import io.surewrite.write.Backoff;
import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessResourceFailureException;

/** What whoever reads the log of an application gets to see of its writes. */
@ExtendWith(OutputCaptureExtension.class)
class LinesOfWritesTests {

    private static final RuntimeException LOST =
            new DataAccessResourceFailureException("secret", new DriverTimeoutException("secret too"));

    private final AtomicLong nanos = new AtomicLong();
    private final ScopedRetryTemplate template = ScopedRetryTemplate.forIdempotentWrites(
            new RetrySettings(3, Duration.ofSeconds(20), new Backoff(Duration.ZERO, Duration.ZERO, 1)),
            new RetrySupport(
                    new WriteTimestamps(Clock.systemUTC()),
                    Circuit.NONE,
                    ObservationRegistry.NOOP,
                    null,
                    new Random(1),
                    System::nanoTime,
                    null,
                    new QuietLog(nanos::get)));

    @Test
    void saysInOneLineHowAWriteEndedAndWhyWithoutValues(CapturedOutput output) {
        fail("People.save", 3);
        assertThat(lines(output))
                .singleElement()
                .asString()
                .contains("WARN")
                .contains("People.save: given up after 3 attempt(s), it may be in effect, or come into effect."
                        + " The last failed: DriverTimeoutException, unknown");
        fail("People.delete", 1);
        assertThat(lines(output)).hasSize(2);
        assertThat(output)
                .contains("People.delete: succeeded after 2 attempts, one failed: DriverTimeoutException, unknown")
                .doesNotContain("secret");
    }

    /** A cluster that is away for an hour must not fill the disk. */
    @Test
    void hasALineAMinuteForWhatGoesOn(CapturedOutput output) {
        for (int i = 0; i < 1_000; i++) {
            fail("People.save", 3);
        }
        assertThat(lines(output)).hasSize(1);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
        fail("People.save", 3);
        fail("People.rename", 3);
        assertThat(lines(output)).hasSize(3);
        assertThat(lines(output).get(1)).endsWith("(and 999 like it since the last such line)");
        assertThat(lines(output).get(2)).as("another kind").doesNotContain("like it");
    }

    private void fail(String operation, int times) {
        AtomicInteger failures = new AtomicInteger(times);
        Throwable unused = catchThrowable(() -> template.execute(operation, () -> {
            if (failures.getAndDecrement() > 0) {
                throw LOST;
            }
            return "done";
        }));
    }

    private static List<String> lines(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("RetryCall") && !line.contains("DEBUG"))
                .toList();
    }
}
