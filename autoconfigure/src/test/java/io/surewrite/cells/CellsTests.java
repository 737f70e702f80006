package io.surewrite.cells;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.test.InstalledJdk;
import io.surewrite.testsupport.InEachCell;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code -Pcells} runs, and whether the page shows all of it. */
class CellsTests {

    private static final InstalledJdk OLD = new InstalledJdk(Runtime.Version.parse("17"), Path.of("old"));
    private static final InstalledJdk NEW = new InstalledJdk(Runtime.Version.parse("25"), Path.of("new"));

    private static final List<Function<Cell, Object>> CHOICES =
            List.of(Cell::cassandra, Cell::paxos, Cell::protocol, Cell::jdk);

    @Test
    void eachSubjectHasTests() {
        assertThat(CellProgram.tests())
                .extracting(test -> test.getAnnotation(InEachCell.class).value())
                .contains(InEachCell.Subject.values());
    }

    @Test
    void anyThreeChoicesMeet() {
        List<Cell> cells = Cells.all(List.of(OLD, NEW));
        assertThat(cells).hasSizeLessThanOrEqualTo(12);
        for (Function<Cell, Object> leftOut : CHOICES) {
            assertThat(cells.stream()
                            .map(cell -> CHOICES.stream()
                                    .filter(choice -> choice != leftOut)
                                    .map(choice -> choice.apply(cell))
                                    .toList())
                            .distinct())
                    .hasSize(8);
        }
    }

    @Test
    void oneJdkAloneRunsAllElse() {
        assertThat(Cells.all(List.of(OLD))).extracting(Cell::jdk).hasSize(8).containsOnly(OLD);
    }

    @ParameterizedTest
    @CsvSource({
        "5.0.9, v2, V5, 17, 170, 0, true",
        "5.0.9, v2, V5, 17, 170, 1, false",
        "5.0.9, v2, V5, 17, 0, 0, false",
        "6.0.0, v2, V5, 17, 170, 0, false",
        "5.0.9, v1, V5, 17, 170, 0, false",
        "5.0.9, v2, V4, 17, 170, 0, false",
        "5.0.9, v2, V5, 25, 170, 0, false"
    })
    void isRightIfAllTestsPassedWhereTheyShould(
            String cassandra,
            String paxos,
            String protocol,
            String jdk,
            String tests,
            String failed,
            boolean right,
            @TempDir Path directory)
            throws IOException {
        Properties found = new Properties();
        found.putAll(Map.of("cassandra", cassandra, "paxos", paxos, "protocol", protocol, "jdk", jdk));
        found.putAll(Map.of("tests", tests, "failed", failed, "failures", "ATests: a\nBTests: b"));
        Path file = directory.resolve("result");
        try (Writer writer = Files.newBufferedWriter(file)) {
            found.store(writer, null);
        }
        Cell.Row row = new Cell("5.0.9", "v2", "V5", OLD).row(file, 60);
        assertThat(row.right()).isEqualTo(right);
        assertThat(row.failures()).hasSize(2);
        assertThat(row.text())
                .isEqualTo("| %s | %s | %s | %s | %s | %s | 60 |"
                        .formatted(cassandra, paxos, protocol, jdk, tests, failed));
    }

    @Test
    void isWrongIfTheTestsEndedEarly(@TempDir Path directory) throws IOException {
        Cell.Row row = new Cell("5.0.9", "v2", "V5", OLD).row(directory.resolve("none"), 3);
        assertThat(row.right()).isFalse();
        assertThat(row.failures()).isNotEmpty();
        assertThat(row.text()).isEqualTo("| 5.0.9? | v2? | V5? | 17? | ? | ? | 3 |");
    }

    @Test
    void thePageShowsThem() throws IOException {
        assertThat(Cells.written())
                .extracting(row -> row.subList(0, 3))
                .isEqualTo(Cells.all(List.of(OLD, NEW)).stream()
                        .map(cell -> List.of(cell.cassandra(), cell.paxos(), cell.protocol()))
                        .toList());
    }
}
