package io.surewrite.verification.overwrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverwriteReportTests {

    private static final Path PAGE = Path.of("..", "docs", "overwrites.md");

    /** Of the table: the ratios of reads, compacted reads, bytes and writes with 20 nulls. */
    private static final Pattern ROW = Pattern.compile(
            "\\| 20 \\| (\\d+) against [\\d,]+ \\| ([\\d.]+) .*?\\| ([\\d.]+) .*?\\| ([\\d.]+) .*?\\| ([\\d.]+) .*");

    @Test
    void drawsInPlaceOfWhatWasDrawnBefore(@TempDir Path directory) throws IOException {
        Path page = directory.resolve("page.md");
        Files.writeString(page, Files.readString(PAGE));
        String drawing = "```mermaid\nxychart-beta\n    bar [1, 2]\n```\n";

        OverwriteReport.draw(drawing, page);
        OverwriteReport.draw(drawing, page);

        String drawn = Files.readString(page);
        assertThat(drawn).containsOnlyOnce(drawing).containsOnlyOnce("xychart-beta");
        assertThat(drawn.lines().toList())
                .containsAll(Files.readAllLines(PAGE).stream()
                        .filter(line -> !line.startsWith("    "))
                        .toList());
    }

    @Test
    void thePageDrawsWhatItsTableSays() throws IOException {
        String page = Files.readString(PAGE);
        Matcher row = ROW.matcher(page);
        assertThat(row.find()).isTrue();
        assertThat(page)
                .contains("bar [%s, %s, %s, %s, %s]"
                        .formatted(row.group(1), percent(row, 4), percent(row, 2), percent(row, 3), percent(row, 5)));
    }

    private static long percent(Matcher row, int group) {
        return Math.round(100 * Double.parseDouble(row.group(group)));
    }
}
