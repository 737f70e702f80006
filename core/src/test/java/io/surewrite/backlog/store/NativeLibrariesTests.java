package io.surewrite.backlog.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeLibrariesTests {

    private static final Instant NOW = Instant.parse("2026-11-24T00:00:00Z");

    @TempDir
    private Path temporary;

    @Test
    void ofProcessesThatWereKilledAreRemoved() throws IOException {
        file("sqlite-3.53.4.0-0337ebbf-libsqlitejdbc.so", Duration.ofHours(2));
        file("sqlite-3.53.4.0-0337ebbf-libsqlitejdbc.so.lck", Duration.ofHours(2));
        file("sqlite-3.53.4.0-1447ebbf-sqlitejdbc.dll", Duration.ofHours(2));
        file("sqlite-3.53.4.0-2557ebbf-libsqlitejdbc.so", Duration.ofSeconds(1));
        file("sqlite-3.53.4.0-2557ebbf-libsqlitejdbc.so.lck", Duration.ofSeconds(1));
        file("sqlite-notes.txt", Duration.ofHours(2));
        file("backlog.db", Duration.ofHours(2));
        NativeLibraries.sweep(temporary, NOW);
        assertThat(left(temporary))
                .as("what may not be loaded yet, and what is something else")
                .containsExactly(
                        "backlog.db",
                        "sqlite-3.53.4.0-2557ebbf-libsqlitejdbc.so",
                        "sqlite-3.53.4.0-2557ebbf-libsqlitejdbc.so.lck",
                        "sqlite-notes.txt");
    }

    @Test
    void areNoReasonNotToStart() {
        NativeLibraries.sweep(temporary.resolve("missing"), NOW);
    }

    /** On the file that SQLite itself unpacks: its name is an agreement with nobody. */
    @Test
    void areRemovedAtTheNextStart() throws Exception {
        Path backlog = temporary.resolve("backlog");
        Path unpacked = Files.createDirectory(temporary.resolve("unpacked"));
        assertThat(start(unpacked, backlog, "killed")).isEqualTo(Start.KILLED);
        assertThat(left(unpacked)).as("left over").isNotEmpty();
        for (String name : left(unpacked)) {
            Instant before = Instant.now().minus(Duration.ofHours(2));
            Files.setLastModifiedTime(unpacked.resolve(name), FileTime.from(before));
        }
        assertThat(start(unpacked, backlog, "ended")).isZero();
        assertThat(left(unpacked)).isEmpty();
    }

    /** As where the file system is read-only, or does not let files be executed. */
    @ParameterizedTest
    @ValueSource(strings = {"org.sqlite.tmpdir", "java.io.tmpdir"})
    void thatCannotBeUnpackedEndTheStartWithTheCure(String property) throws Exception {
        Path nowhere = Files.createFile(temporary.resolve("file")).resolve("unpacked");
        Path said = temporary.resolve("said");
        int ended = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-D%s=%s".formatted(property, nowhere),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Start.class.getName(),
                        temporary.resolve("backlog").toString(),
                        "ended")
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start()
                .waitFor();
        assertThat(ended).isOne();
        assertThat(said)
                .content()
                .contains("SQLite's native library cannot be unpacked in " + nowhere)
                .contains("set the system property org.sqlite.tmpdir to a directory");
    }

    @Test
    void thatCannotBeLoadedAreTold() {
        UnsatisfiedLinkError noexec = new UnsatisfiedLinkError("failed to map segment from shared object");
        SQLException opening = new SQLException("Error opening connection", noexec);
        assertThat(BacklogFile.translate(temporary, opening))
                .hasMessageContaining("noexec: failed to map segment")
                .hasMessageContaining("org.sqlite.tmpdir");
    }

    private static int start(Path unpacked, Path backlog, String end) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dorg.sqlite.tmpdir=" + unpacked,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Start.class.getName(),
                        backlog.toString(),
                        end)
                .inheritIO()
                .start()
                .waitFor();
    }

    /** A process that opens a backlog, and ends by itself or without its shutdown hooks, as a killed one does. */
    static final class Start {

        static final int KILLED = 9;

        private Start() {}

        public static void main(String[] args) {
            try (SqliteBacklogStore store = new SqliteBacklogStore(Path.of(args[0]), 1, 1, false)) {
                if (args[1].equals("killed")) {
                    Runtime.getRuntime().halt(KILLED);
                }
                store.size();
            }
        }
    }

    private void file(String name, Duration age) throws IOException {
        Path file = Files.createFile(temporary.resolve(name));
        Files.setLastModifiedTime(file, FileTime.from(NOW.minus(age)));
    }

    private static List<String> left(Path place) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
