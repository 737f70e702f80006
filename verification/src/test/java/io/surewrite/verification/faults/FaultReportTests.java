package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultReportTests {

    @Test
    void throwsWhatWasWrong() {
        FaultReport report = report(List.of("two holders"), 42);

        assertThatIllegalStateException()
                .isThrownBy(report::printAndThrowIfWrong)
                .withMessageContaining("two holders");
    }

    @Test
    void aTrialInWhichNothingHappenedProvesNothing() {
        assertThat(report(List.of(), 0).violations()).singleElement().asString().contains("No call");
    }

    private static FaultReport report(List<String> violations, long operations) {
        return FaultReport.of(Duration.ofMinutes(2), 7, List.of(), List.of(new Trial() {
            @Override
            public void begin(Run run) {}

            @Override
            public Verdict judge(List<Event> events) {
                return new Verdict("all went round", operations, violations);
            }
        }));
    }
}
