package io.surewrite.backlog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.surewrite.backlog.WriteBacklog.BacklogSize;
import io.surewrite.testsupport.Nightly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteConfig;

class SqliteBacklogStoreTests {

    private static final Instant DECIDED = Instant.ofEpochSecond(1_700_000_000);

    @TempDir
    private Path directory;

    @Test
    void keepsDeadLettersUntilSomebodyDecides() {
        try (SqliteBacklogStore store = open()) {
            IntStream.range(0, 3).forEach(i -> put(store, "entry " + i));
            for (StoredEntry entry : entries(store)) {
                DamagedFilesTests.reject(store, entry).join();
            }
            assertThat(store.size()).isEqualTo(new BacklogSize(0, 3, 21, null, 0));
        }
        try (SqliteBacklogStore store = open()) {
            List<StoredEntry> letters = store.deadLetters(0, 10).join();
            assertThat(letters).extracting(StoredEntry::detail).containsOnly("no table");
            long first = letters.get(0).id();
            assertThat(store.revive(List.of(first, first, 999L)).join()).isEqualTo(1);
            assertThat(store.discard(List.of(letters.get(1).id())).join()).isEqualTo(1);
            assertThat(bodies(store)).containsExactly("entry 0");
            assertThat(store.size()).isEqualTo(new BacklogSize(1, 1, 14, DECIDED, 0));
        }
    }

    @Test
    void takesNoMoreThanItsBounds() {
        try (SqliteBacklogStore store = new SqliteBacklogStore(directory, 2, 100, false)) {
            put(store, "one");
            put(store, "two");
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> put(store, "three"))
                    .withCauseExactlyInstanceOf(BacklogException.class)
                    .withMessageContainingAll("2 entries", "surewrite.backlog.max-entries", "discard dead letters");
            store.remove(ids(store)).join();
            put(store, "x".repeat(60));
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> put(store, "x".repeat(60)))
                    .withCauseExactlyInstanceOf(BacklogException.class);
            put(store, "x".repeat(40));
        }
    }

    @Test
    void letsOnlyOneWriterIn() throws Exception {
        try (SqliteBacklogStore store = open()) {
            put(store, "one");
            assertThatExceptionOfType(BacklogException.class)
                    .isThrownBy(this::open)
                    .withMessageContainingAll(directory.toString(), "another process", "surewrite.backlog.directory");
            put(store, "two");
        }
        open().close();
    }

    /** They keep others out; where they are killed, nothing is lost that one of their threads, which share commits, was told. */
    @Test
    void keepsWhatWasConfirmedWhereProcessesAreKilled() throws Exception {
        killWriters(2);
    }

    @Test
    @Nightly
    void keepsWhatWasConfirmedWhereProcessesAreKilledAgainAndAgain() throws Exception {
        killWriters(50);
    }

    private void killWriters(int times) throws Exception {
        Path said = directory.resolve("said");
        int confirmed = 0;
        int cutOff = 0;
        for (int life = 0; life < times; life++) {
            List<String> names;
            try (KilledWriter writer =
                    KilledWriter.start(List.of(), directory, said, 5_000 + 997 * life % 20_000, "32")) {
                assertThatExceptionOfType(BacklogException.class)
                        .isThrownBy(this::open)
                        .withMessageContaining("another process");
                names = writer.kill();
            }
            Path journal = directory.resolve("backlog.db-journal");
            cutOff += Files.size(journal) > 0 && Files.readAllBytes(journal)[0] != 0 ? 1 : 0;
            confirmed += names.size();
            try (SqliteBacklogStore store = open()) {
                assertThat(bodies(store)).containsAll(names);
                store.remove(ids(store)).join();
            }
        }
        System.out.printf("%d kills, %d of them in a commit: %d entries confirmed%n", times, cutOff, confirmed);
    }

    /** All that an entry has written is on the disk before it is confirmed: the system is asked, not SQLite. */
    @Test
    void synchronizesAllThatItConfirms() throws Exception {
        assumeThat(run("strace", "-V")).as("there is strace").isZero();
        assertThat(unsynchronized("FULL")).isZero();
        assertThat(unsynchronized("OFF")).as("the planted fault is noticed").isPositive();
    }

    /** How many of 20 entries are confirmed while what was written for them may be lost. */
    private int unsynchronized(String mode) throws Exception {
        Path trace = directory.resolve(mode + ".trace");
        Path place = directory.resolve(mode);
        List<String> strace = List.of(
                "strace",
                "-f",
                "-y",
                "-qq",
                "-e",
                "trace=write,pwrite64,ftruncate,fsync,fdatasync",
                "-o",
                trace.toString());
        try (KilledWriter writer =
                KilledWriter.start(strace, place, directory.resolve("said"), Integer.MAX_VALUE, "1", "20", mode)) {
            assertThat(writer.kill()).hasSize(20);
        }
        Pattern call = Pattern.compile("\\w+ +(\\w+)\\(\\d+<([^>]*)>.*");
        Set<String> dirty = new HashSet<>();
        Map<String, String> begun = new HashMap<>();
        int confirmed = 0;
        int wrong = 0;
        for (String line : Files.readAllLines(trace)) {
            String thread = line.substring(0, line.indexOf(' '));
            Matcher matcher = call.matcher(line);
            String file = matcher.matches() ? matcher.group(2) : "";
            if (line.contains("sync resumed>")) {
                dirty.remove(begun.get(thread));
            } else if (file.endsWith("said")) {
                confirmed++;
                wrong += dirty.isEmpty() ? 0 : 1;
            } else if (file.contains("backlog.db") && matcher.group(1).endsWith("sync")) {
                begun.put(thread, file);
                if (!line.contains("unfinished")) {
                    dirty.remove(file);
                }
            } else if (file.contains("backlog.db")) {
                dirty.add(file);
            }
        }
        assertThat(confirmed).isEqualTo(20);
        return wrong;
    }

    /** Whatever is changed of what a row says. */
    @Test
    void noticesEveryChangedBit() throws Exception {
        try (SqliteBacklogStore store = open()) {
            put(store, "an entry");
            put(store, "a letter");
            DamagedFilesTests.reject(store, entries(store).get(1)).join();
        }
        Path file = directory.resolve("backlog.db");
        byte[] whole = Files.readAllBytes(file);
        String text = new String(whole, ISO_8859_1);
        for (String what : List.of("an entry", "a letter", "REJECTED", "no table")) {
            for (int bit = 0; bit < 8 * what.length(); bit++) {
                byte[] changed = whole.clone();
                changed[text.indexOf(what) + bit / 8] ^= (byte) (1 << bit % 8);
                Files.write(file, changed);
                assertThatExceptionOfType(BacklogException.class)
                        .as("%s, bit %d", what, bit)
                        .isThrownBy(this::open)
                        .withMessageContaining("1 entries, as ");
            }
        }
    }

    @Test
    void saysThatTheDiskIsFullAndGoesOnWhenItIsNotAnyMore() {
        SQLiteConfig small = new SQLiteConfig();
        small.setMaxPageCount(16);
        try (SqliteBacklogStore store =
                new SqliteBacklogStore(directory, 1_000_000, Long.MAX_VALUE, false, small, opened -> opened)) {
            List<CompletableFuture<Long>> puts = new ArrayList<>();
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> {
                        while (true) {
                            puts.add(store.put(DECIDED, new byte[1_000]));
                            puts.get(puts.size() - 1).join();
                        }
                    })
                    .withCauseExactlyInstanceOf(BacklogException.class)
                    .withMessageContainingAll("The disk is full", "make room", directory.toString());
            assertThat(store.size().entries()).isEqualTo(puts.size() - 1).isPositive();
            entries(store);
            assertThat(store.refusal()).as("a read makes no room").isNotNull();
            store.remove(ids(store)).join();
            assertThat(store.refusal()).isNull();
            put(store, "again");
            assertThat(bodies(store)).containsExactly("again");
        }
    }

    /** A small disk of its own, where this process may make one. */
    @Test
    void startsOnAFullDiskAndDrains() throws Exception {
        Path small = Files.createDirectory(directory.resolve("small"));
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", small.toString()))
                .as("only root makes a disk")
                .isZero();
        try {
            Path place = small.resolve("backlog");
            try (SqliteBacklogStore store = new SqliteBacklogStore(place, 100, 1_000_000, false)) {
                IntStream.range(0, 20).forEach(i -> put(store, "entry " + i));
            }
            Path other = small.resolve("other");
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> Files.write(other, new byte[400_000]));
            try (SqliteBacklogStore store = new SqliteBacklogStore(place, 100, 1_000_000, false)) {
                assertThat(entries(store)).hasSize(20);
                assertThatExceptionOfType(CompletionException.class)
                        .isThrownBy(() -> put(store, "x".repeat(10_000)))
                        .withMessageContaining("The disk is full");
                assertThat(store.refusal()).hasMessageContainingAll("The disk is full", "make room");
                assertThat(store.failure()).isNull();
                Files.delete(other);
                store.remove(ids(store)).join();
                assertThat(store.refusal()).isNull();
                put(store, "again");
            }
        } finally {
            run("umount", small.toString());
        }
    }

    private static int run(String... command) throws Exception {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException noSuchCommand) {
            return 1;
        }
    }

    /** Root could write it all the same. */
    @Test
    void saysThatTheDirectoryIsReadOnly() throws Exception {
        Path closed = Files.createDirectory(
                directory.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(() -> new SqliteBacklogStore(closed, 1, 1, false))
                .withMessageContainingAll(closed.toString(), "read-only", "one that this process owns and may write");
    }

    @Test
    void letsNobodyElseRead() throws Exception {
        Path open = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (Path place : List.of(open, directory.resolve("new"))) {
            try (SqliteBacklogStore store = new SqliteBacklogStore(place, 10, 1_000, false);
                    Stream<Path> files = Files.list(place)) {
                put(store, "secret");
                assertThat(permissions(place)).isEqualTo("rwx------");
                assertThat(files)
                        .hasSize(3)
                        .allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
            }
        }
    }

    @Test
    void saysWhereSqlitesLibraryMayBeUnpacked() {
        assertThat(BacklogFile.translate(directory, new NativeLibraryNotFoundException("noexec")))
                .hasMessageContainingAll("SQLite's native library", "noexec", "-Dorg.sqlite.tmpdir=");
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void confirmsOnlyWhatIsOnTheDisk() {
        TestDisk disk = new TestDisk();
        try (SqliteBacklogStore store = disk.store(directory)) {
            CompletableFuture<Long> one = store.put(DECIDED, new byte[1]);
            await().until(disk.commits::hasQueuedThreads);
            CompletableFuture<Long> two = store.put(DECIDED, new byte[1]);
            await().during(Duration.ofMillis(100)).until(() -> !one.isDone());
            assertThat(store.size().entries()).isZero();
            disk.commits.release();
            one.join();
            await().during(Duration.ofMillis(100)).until(() -> !two.isDone());
            disk.commits.release(1_000);
            two.join();
        }
    }

    private SqliteBacklogStore open() {
        return new SqliteBacklogStore(directory, Long.MAX_VALUE, Long.MAX_VALUE, false);
    }

    private static long put(SqliteBacklogStore store, String body) {
        return store.put(DECIDED, body.getBytes(UTF_8)).join();
    }

    private static List<StoredEntry> entries(SqliteBacklogStore store) {
        return store.next(0, Integer.MAX_VALUE).join();
    }

    private static List<Long> ids(SqliteBacklogStore store) {
        return entries(store).stream().map(StoredEntry::id).toList();
    }

    private static List<String> bodies(SqliteBacklogStore store) {
        return entries(store).stream()
                .map(entry -> new String(entry.body(), UTF_8))
                .toList();
    }
}
