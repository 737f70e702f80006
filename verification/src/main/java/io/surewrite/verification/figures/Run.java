package io.surewrite.verification.figures;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one run of a benchmark was and brought.
 *
 * @param command that repeats it
 * @param began when, in UTC
 * @param seconds how long it took, at the last figure
 * @param conditions under which: the machine, versions
 * @param figures what was measured
 */
public record Run(String command, String began, long seconds, Map<String, String> conditions, List<Figure> figures) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Keeps the run as the last one of a benchmark.
     *
     * @param directory where the report is
     * @param benchmark which one
     * @throws IOException if it cannot be written
     */
    public void write(Path directory, String benchmark) throws IOException {
        Files.createDirectories(directory);
        JSON.writerWithDefaultPrettyPrinter()
                .writeValue(file(directory, benchmark).toFile(), this);
    }

    /**
     * Reads the last run of a benchmark.
     *
     * @param directory where the report is
     * @param benchmark which one
     * @return the run, if there was one
     * @throws IOException if it cannot be read
     */
    public static Optional<Run> read(Path directory, String benchmark) throws IOException {
        Path file = file(directory, benchmark);
        return Files.exists(file) ? Optional.of(JSON.readValue(file.toFile(), Run.class)) : Optional.empty();
    }

    /**
     * Forgets the last run of a benchmark.
     *
     * @param directory where the report is
     * @param benchmark which one
     * @throws IOException if it cannot be deleted
     */
    public static void forget(Path directory, String benchmark) throws IOException {
        Files.deleteIfExists(file(directory, benchmark));
    }

    private static Path file(Path directory, String benchmark) {
        return directory.resolve(benchmark + ".json");
    }
}
