package io.surewrite.verification.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints the scores of what mutation testing found, as the rows of a table, and makes a page for each package that lists the
 * faults that no test noticed. The pages are part of the build's output, as any change of the code changes them. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pmutation package}.
 */
public final class MutationReport {

    private static final String COMMAND = "mvn -pl verification -am -DskipTests -Pmutation package";
    private static final Path PAGES = Path.of("target", "mutation");
    private static final List<String> SCORES =
            List.of("package", "faults", "noticed", "survived", "no test comes by", "other", "score", "made on");

    /** What was found in one package. */
    private record Found(String name, LocalDate date, List<Mutant> mutants) {

        static Found read(Path directory) {
            Path file = directory.resolve("mutations.csv");
            try (Stream<String> lines = Files.lines(file)) {
                return new Found(
                        directory.getFileName().toString(),
                        LocalDate.ofInstant(Files.getLastModifiedTime(file).toInstant(), ZoneOffset.UTC),
                        lines.map(Mutant::parse).toList());
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }

        List<String> row() {
            long noticed = mutants.stream().filter(Mutant::noticed).count();
            long survived = count("SURVIVED");
            long missed = count("NO_COVERAGE");
            return List.of(
                    name,
                    String.valueOf(mutants.size()),
                    String.valueOf(noticed),
                    String.valueOf(survived),
                    String.valueOf(missed),
                    String.valueOf(mutants.size() - noticed - survived - missed),
                    String.format(Locale.ROOT, "%.1f %%", 100.0 * noticed / mutants.size()),
                    date.toString());
        }

        private long count(String status) {
            return mutants.stream().filter(mutant -> mutant.is(status)).count();
        }

        Section survivors() {
            List<List<String>> rows = mutants.stream()
                    .filter(mutant -> !mutant.noticed())
                    .map(mutant -> List.of(mutant.place(), mutant.fault(), outcome(mutant)))
                    .toList();
            return new Section("Not noticed", List.of(), List.of("where", "fault", "outcome"), rows, List.of());
        }

        private static String outcome(Mutant mutant) {
            return switch (mutant.status()) {
                case "SURVIVED" -> "survived";
                case "NO_COVERAGE" -> "no test comes by";
                default -> mutant.status().toLowerCase(Locale.ROOT).replace('_', ' ');
            };
        }
    }

    private MutationReport() {}

    /**
     * Makes it.
     *
     * @param arguments the directory with one directory for each package
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String[] arguments) throws IOException {
        write(Path.of(arguments[0]), PAGES);
    }

    static void write(Path directory, Path pages) throws IOException {
        List<Found> packages;
        try (Stream<Path> directories = Files.list(directory)) {
            packages = directories
                    .filter(it -> Files.isReadable(it.resolve("mutations.csv")))
                    .sorted()
                    .map(Found::read)
                    .toList();
        }
        Files.createDirectories(pages);
        System.out.println(line(SCORES));
        System.out.println(line(Collections.nCopies(SCORES.size(), "---")));
        for (Found found : packages) {
            Section score = new Section(
                    "Mutation testing of " + found.name(),
                    List.of(
                            "Made by `%s -Dmutation.packages=%s`, not by hand.".formatted(COMMAND, found.name()),
                            "PIT plants a fault at a time into the package and runs those of its tests that come by."
                                    + " Which those are, and which are too slow for it, says `MutatedPackage`.",
                            "A fault is noticed when a test fails, or runs without an end. The score is the share of"
                                    + " those; what made the JVM crash (other) does not count as noticed."),
                    SCORES,
                    List.of(found.row()),
                    List.of());
            Files.writeString(pages.resolve(found.name() + ".md"), MarkdownPage.of(List.of(score, found.survivors())));
            System.out.println(line(found.row()));
        }
        System.out.printf(
                "The faults that no test noticed: %s%n", pages.toAbsolutePath().normalize());
    }

    /** A row as {@code docs/verification.md} has it. */
    private static String line(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
    }
}
