package io.surewrite.verification.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Goal;
import io.surewrite.verification.figures.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTests {

    private static final Figure MISSED =
            Figure.ratio("acquire <fast>", "ms", 1.2, "by hand", 1).withGoal(Goal.atMost(1.10));
    private static final Figure MET =
            Figure.ratio("hot name", "/s", 90, "each", 1).withGoal(Goal.atLeast(50));
    private static final Figure REPLAY =
            Figure.ratio("replay", "/s", 9, "directly", 10).withGoal(Goal.atLeast(0.8));

    @TempDir
    Path directory;

    @Test
    void beginsWithWhatAUserGetsAndTheGoalsThatAreMissed() throws IOException {
        String report = write();
        assertThat(part(report, "## What you get", "## Goals missed"))
                .contains("| acquire <fast> |", "| replay |")
                .doesNotContain("hot name");
        assertThat(part(report, "## Goals missed", "## Not measured"))
                .contains("1 of 3 goals are missed.")
                .contains(
                        "| acquire <fast> | 1.200 ms | by hand | 1 ms | 1.200 × | at most 1.10, missed | [leases](leases.md#costs) |")
                .doesNotContain("hot name", "replay");
        assertThat(report)
                .containsSubsequence(
                        "# Performance",
                        "## What you get",
                        "## Goals missed",
                        "## Not measured",
                        "## Leases",
                        "## Backlog");
    }

    @Test
    void leadsToWhatIsThere() throws IOException {
        for (Benchmark benchmark : Benchmark.values()) {
            assertThat(isThere(benchmark.page)).as(benchmark.page).isTrue();
        }
        assertThat(List.of("leazes.md", "leases.md#coasts"))
                .allSatisfy(planted -> assertThat(isThere(planted)).isFalse());
    }

    private static boolean isThere(String link) throws IOException {
        String[] parts = link.split("#", -1);
        Path page = Path.of("..", "docs", parts[0]);
        return Files.exists(page)
                && (parts.length == 1
                        || Files.readAllLines(page).stream()
                                .map(line -> line.toLowerCase(Locale.ROOT))
                                .anyMatch(("## " + parts[1].replace('-', ' '))::equals));
    }

    @Test
    void listsWhatWasNotMeasured() throws IOException {
        assertThat(part(write(), "## Not measured", "## Leases"))
                .contains("| Journal | it did not run, or failed, this time |", "Testcontainers")
                .doesNotContain("| Backlog |");
    }

    @Test
    void tellsOnceWhatWasTheSameInAllRuns() throws IOException {
        assertThat(write())
                .containsOnlyOnce("Machine: a fast one")
                .containsOnlyOnce("Load before: 0.1")
                .containsOnlyOnce("Load before: 0.2")
                .contains("Began 2026-11-22T00:00:00Z, took 60 s: `mvn lease`");
    }

    private String write() throws IOException {
        run("lease", "0.1", MISSED, MET);
        run("backlog", "0.2", REPLAY);
        Path summary = directory.resolve("performance.md");
        Report.of(directory).write(summary);
        return Files.readString(summary);
    }

    private void run(String benchmark, String load, Figure... figures) throws IOException {
        new Run(
                        "mvn " + benchmark,
                        "2026-11-22T00:00:00Z",
                        60,
                        Map.of("Machine", "a fast one", "Load before", load),
                        List.of(figures))
                .write(directory, benchmark);
    }

    private static String part(String text, String from, String to) {
        return text.substring(text.indexOf(from), text.indexOf(to));
    }
}
