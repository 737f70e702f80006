package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @TempDir
    private Path directory;

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
        assertThatCode(report::throwIfWrong).doesNotThrowAnyException();
    }

    @Test
    void throwsAfterThePageWasMade() throws IOException {
        Path page = directory.resolve("docs").resolve("faults.md");
        FaultReport report = report(List.of("two holders"));
        report.write(page);

        assertThat(Files.readString(page))
                .contains("- all went round", "- **Violation**: two holders", "| violations | 1 |", "| Machine | ");
        assertThatIllegalStateException().isThrownBy(report::throwIfWrong).withMessageContaining("two holders");
    }

    private static FaultReport report(List<String> violations) {
        return FaultReport.of(Duration.ofMinutes(2), 7, EVENTS, List.of(new Trial() {
            @Override
            public void begin(Run run) {}

            @Override
            public Verdict judge(List<Event> events) {
                return new Verdict("all went round", 42, violations);
            }
        }));
    }
}
