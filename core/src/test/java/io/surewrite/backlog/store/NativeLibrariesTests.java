package io.surewrite.backlog.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        assertThat(left())
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
    void haveTheNamesThatSqliteGivesThem() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dorg.sqlite.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Killed.class.getName())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isEqualTo(Killed.STATUS);
        assertThat(left()).as("left over").isNotEmpty();
        NativeLibraries.sweep(temporary, Instant.now().plus(Duration.ofHours(2)));
        assertThat(left()).isEmpty();
    }

    /** A process that ends without its shutdown hooks, as a killed one does. */
    static final class Killed {

        static final int STATUS = 9;

        private Killed() {}

        public static void main(String[] arguments) throws Exception {
            DriverManager.getConnection("jdbc:sqlite::memory:").close();
            Runtime.getRuntime().halt(STATUS);
        }
    }

    private void file(String name, Duration age) throws IOException {
        Path file = Files.createFile(temporary.resolve(name));
        Files.setLastModifiedTime(file, FileTime.from(NOW.minus(age)));
    }

    private List<String> left() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
