package io.surewrite.cells;

import io.surewrite.test.InstalledJdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the tests that are {@link io.surewrite.testsupport.InEachCell} on the running JDK and on the newest that is installed
 * beside it, with each version of Cassandra, each kind of Paxos and each protocol, in half of all combinations. Writes a
 * table into the page of compatibility. Ends with an error if a test failed. Run it with
 * {@code mvn -q -pl autoconfigure -am -DskipTests -Pcells process-test-classes}; with
 * {@code "-Dcells.words=6.0-alpha2 v1"} it runs those cells alone that have all of these words, and leaves the page alone.
 */
public final class Cells {

    static final Path PAGE = Path.of("..", "docs", "compatibility.md");

    private static final String BEGIN = "<!-- cells -->\n";
    private static final String END = "<!-- end of cells -->\n";

    private Cells() {}

    public static void main(String[] arguments) throws Exception {
        List<String> words = List.of(String.join(" ", arguments).strip().split("\\s+", -1));
        boolean some = !words.equals(List.of("all"));
        Path results = Files.createDirectories(Path.of("target", "cells"));
        List<Cell> cells = all(InstalledJdk.runningAndNewest()).stream()
                .filter(cell -> !some || List.of(cell.toString().split(" ", -1)).containsAll(words))
                .toList();
        List<String> wrong = new ArrayList<>();
        StringBuilder table = new StringBuilder(Cell.Row.HEAD);
        for (Cell cell : cells) {
            System.out.printf("%s: ", cell);
            Cell.Row row = cell.run(results);
            System.out.println(row.text());
            table.append(row.text()).append('\n');
            if (!row.right()) {
                wrong.add(cell.toString());
                row.failures().forEach(failure -> wrong.add("    " + failure));
            }
        }
        System.out.println();
        System.out.println(table);
        if (!some) {
            write("Run by `-Pcells` on %s.\n\n%s".formatted(LocalDate.now(ZoneOffset.UTC), table));
        }
        if (cells.isEmpty() || !wrong.isEmpty()) {
            throw new IllegalStateException("Of %d cells not all is as it should be:%n%s"
                    .formatted(cells.size(), String.join(System.lineSeparator(), wrong)));
        }
    }

    /** Any three of the four choices meet in each way once: an even number of second choices is in each cell. Cassandra 4.1 runs on JDK 17 alone. */
    static List<Cell> all(List<InstalledJdk> jdks) {
        List<Cell> cells = new ArrayList<>();
        for (int choice = 0; choice < 8; choice++) {
            int jdk = Integer.bitCount(choice) % jdks.size();
            cells.add(new Cell(
                    (choice & 4) == 0 ? "5.0.9" : "6.0-alpha2",
                    (choice & 2) == 0 ? "v1" : "v2",
                    (choice & 1) == 0 ? "V4" : "V5",
                    jdks.get(jdk)));
        }
        jdks.stream().filter(jdk -> jdk.feature() == 17).findFirst().ifPresent(jdk -> {
            for (String paxos : List.of("v1", "v2")) {
                for (String protocol : List.of("V4", "V5")) {
                    cells.add(new Cell("4.1.10", paxos, protocol, jdk));
                }
            }
        });
        return cells;
    }

    private static void write(String table) throws IOException {
        String page = Files.readString(PAGE);
        Files.writeString(
                PAGE,
                page.substring(0, page.indexOf(BEGIN) + BEGIN.length()) + table + page.substring(page.indexOf(END)));
    }
}
