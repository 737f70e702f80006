package io.surewrite.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What was measured stands beside the command that measures it again. {@link DocumentedNamesTests} sees whether there is such a profile. */
class DocumentedFiguresTests {

    private static final Path ROOT = Path.of("..");

    private static final Pattern SECTION = Pattern.compile("(?m)^(?=## )");

    private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```");

    /** A ratio, a percentile, or a cell of a table that has nothing but such a number. */
    private static final Pattern FIGURE =
            Pattern.compile("\\d ?×|\\d\\.\\d+ times|\\bp\\d\\d\\b|\\| \\d+\\.\\d+ (?:\\||ms|µs)|\\d µs\\b");

    private static final Pattern COMMAND = Pattern.compile("-P[a-z]+|\\.ci/[a-z]+|performance\\.md");

    @Test
    void eachSectionWithFiguresNamesACommand() throws IOException {
        List<String> without = new ArrayList<>();
        int sections = 0;
        for (Path page : pages()) {
            for (String section : SECTION.splitAsStream(Files.readString(page)).toList()) {
                if (hasFigures(section)) {
                    sections++;
                    if (!COMMAND.matcher(section).find()) {
                        without.add(page + ": " + section.lines().findFirst().orElse(""));
                    }
                }
            }
        }
        assertThat(without).isEmpty();
        assertThat(sections).as("sections with figures").isGreaterThan(5);
    }

    @Test
    void aFigureWithoutItsCommandIsNoticed() {
        String planted = "## Costs\n| ÷ by hand | 1.04 |\n";
        assertThat(hasFigures(planted)).isTrue();
        assertThat(COMMAND.matcher(planted).find()).isFalse();
        assertThat(hasFigures("## Defaults\nIt waits for 300 ms, three times.\n"))
                .isFalse();
    }

    private static boolean hasFigures(String section) {
        return FIGURE.matcher(FENCE.matcher(section).replaceAll("")).find();
    }

    /** The pages that a command writes as a whole name it at their head; decisions and changes tell what was. */
    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            List<Path> pages = new ArrayList<>(docs.filter(
                            file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.startsWith(ROOT.resolve("docs").resolve("adr")))
                    .filter(file -> !file.endsWith("performance.md") && !file.endsWith("faults.md"))
                    .toList());
            pages.add(ROOT.resolve("README.md"));
            return pages;
        }
    }
}
