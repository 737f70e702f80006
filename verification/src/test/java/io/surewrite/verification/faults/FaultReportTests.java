package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultReportTests {

    private static final List<Event> EVENTS = List.of(
            new Event("nemesis", Event.NODE_FAULT, "node 1, paused", 0, 0, 1),
            new Event("nemesis", Event.NODE_FAULT, "node 2, killed", 0, 0, 1),
            new Event("nemesis", Event.NODE_FAULT, "node 1, killed", 0, 0, 1),
            new Event("nemesis", Event.CLIENT_FAULT, "client1, stopped", 0, 0, 1),
            new Event("nemesis", Event.OPERATED, "nodes added", 0, 0, 1),
            new Event("nemesis", Event.OPERATED, "nodes added", 0, 2, 3),
            new Event("client1", Event.SETTLED, "", 2, 0, 1),
            new Event("client1", Event.UNSETTLED, "", 3, 0, 1),
            new Event("client1", Event.FAILED, "", 0, 0, 1));

    @Test
    void countsWhatHappened() {
        FaultReport report = report(List.of());

        assertThat(report.figures())
                .containsEntry("disturbed for", "120 s")
                .containsEntry("operations", "43")
                .containsEntry("faults injected: nodes paused", "1")
                .containsEntry("nodes killed", "2")
                .containsEntry("clients stopped", "1")
                .containsEntry("clients killed", "0")
                .containsEntry("nodes added", "2")
                .containsEntry("ambiguous outcomes met", "2")
                .containsEntry("of them settled at once", "1")
                .containsEntry("violations", "0");
        assertThatCode(report::printAndThrowIfWrong).doesNotThrowAnyException();
    }

    @Test
    void throwsWhatWasWrong() {
        FaultReport report = report(List.of("two holders"));

        assertThatIllegalStateException()
                .isThrownBy(report::printAndThrowIfWrong)
                .withMessageContaining("two holders");
    }

    @Test
    void aTrialInWhichNothingHappenedProvesNothing() {
        assertThat(report(List.of(), 0).violations()).singleElement().asString().contains("No call");
    }

    private static FaultReport report(List<String> violations) {
        return report(violations, 42);
    }

    private static FaultReport report(List<String> violations, long operations) {
        return FaultReport.of(Duration.ofMinutes(2), 7, EVENTS, List.of(new Trial() {
            @Override
            public void begin(Run run) {}

            @Override
            public Verdict judge(List<Event> events) {
                return new Verdict("all went round", operations, violations);
            }
        }));
    }
}
