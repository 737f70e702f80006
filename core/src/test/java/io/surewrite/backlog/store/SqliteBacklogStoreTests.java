package io.surewrite.backlog.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.surewrite.backlog.BacklogException;
import io.surewrite.backlog.BacklogFullException;
import io.surewrite.backlog.BacklogLockedException;
import io.surewrite.backlog.BacklogSize;
import io.surewrite.backlog.BacklogStore;
import io.surewrite.backlog.BacklogStore.DeadEntry;
import io.surewrite.backlog.BacklogStore.Entry;
import io.surewrite.backlog.DeadLetter;
import io.surewrite.backlog.replay.EntryCodec;
import io.surewrite.cql.UnknownOutcomeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;

class SqliteBacklogStoreTests {

    private static final Instant DECIDED = Instant.ofEpochSecond(1_700_000_000);

    private static final BacklogStore.Key ROW = new BacklogStore.Key("test.rows", null);

    @TempDir
    private Path directory;

    @Test
    void keepsEntriesInTheirOrderAndFindsThemAgain() {
        try (SqliteBacklogStore store = open()) {
            put(store, "one");
            put(store, "two");
            store.failed(entries(store).get(0)).join();
        }
        try (SqliteBacklogStore store = open()) {
            assertThat(bodies(store)).containsExactly("one", "two");
            assertThat(entries(store)).extracting(Entry::attempts).containsExactly(1, 0);
            assertThat(store.size()).isEqualTo(new BacklogSize(2, 0, 14, DECIDED, 0));
            long third = put(store, "three");
            assertThat(entries(store)).extracting(Entry::id).isSorted().endsWith(third);
        }
    }

    @Test
    void forgetsWhatIsRemovedAndKnowsItsSize() {
        try (SqliteBacklogStore store = open()) {
            put(store, "one");
            put(store, "four");
            store.remove(List.of(entries(store).get(0).id())).join();
            assertThat(bodies(store)).containsExactly("four");
            assertThat(store.size()).isEqualTo(new BacklogSize(1, 0, 8, DECIDED, 0));
            store.remove(ids(store)).join();
            assertThat(store.size()).isEqualTo(new BacklogSize(0, 0, 0, null, 0));
        }
    }

    @Test
    void keepsDeadLettersUntilSomebodyDecides() {
        try (SqliteBacklogStore store = open()) {
            IntStream.range(0, 3).forEach(i -> put(store, "entry " + i));
            for (Entry entry : entries(store)) {
                store.bury(new DeadEntry(entry, DECIDED, DeadLetter.Reason.REJECTED, "no table"))
                        .join();
            }
            assertThat(store.size()).isEqualTo(new BacklogSize(0, 3, 33, null, 0));
        }
        try (SqliteBacklogStore store = open()) {
            List<DeadEntry> letters = store.deadLetters(0, 10).join();
            assertThat(letters).extracting(DeadEntry::detail).containsOnly("no table");
            long first = letters.get(0).entry().id();
            assertThat(store.revive(List.of(first, first, 999L)).join()).isEqualTo(1);
            assertThat(store.discard(List.of(letters.get(1).entry().id())).join())
                    .isEqualTo(1);
            assertThat(bodies(store)).containsExactly("entry 0");
            assertThat(store.size()).isEqualTo(new BacklogSize(1, 1, 22, DECIDED, 0));
        }
    }

    @Test
    void takesNoMoreThanItsBounds() {
        try (SqliteBacklogStore store = new SqliteBacklogStore(directory, 2, 100, false)) {
            put(store, "one");
            put(store, "two");
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> put(store, "three"))
                    .withCauseExactlyInstanceOf(BacklogFullException.class)
                    .withMessageContainingAll("2 entries", "surewrite.backlog.max-entries", "discard dead letters");
            store.remove(ids(store)).join();
            put(store, "x".repeat(60));
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> put(store, "x".repeat(60)))
                    .withCauseExactlyInstanceOf(BacklogFullException.class);
            put(store, "x".repeat(32));
        }
    }

    @Test
    void letsOnlyOneWriterIn() throws Exception {
        try (SqliteBacklogStore store = open()) {
            put(store, "one");
            assertThatExceptionOfType(BacklogLockedException.class)
                    .isThrownBy(this::open)
                    .withMessageContainingAll(
                            directory.toString(), ProcessHandle.current().pid() + "@", "surewrite.backlog.directory");
            put(store, "two");
        }
        open().close();
    }

    @Test
    void keepsOutOtherProcessesAndSurvivesTheirEnd() throws Exception {
        Path said = directory.resolve("said");
        for (int life = 0; life < 3; life++) {
            try (KilledWriter writer = KilledWriter.start(directory, said, 200)) {
                if (life == 1) { // the database is locked, too
                    Files.delete(directory.resolve("backlog.lock"));
                    List<String> made = made(() -> assertThatExceptionOfType(BacklogLockedException.class)
                            .isThrownBy(this::open)
                            .withMessageContaining("another process, which has its database open"));
                    assertThat(made)
                            .as("the other one's file stays where it is")
                            .containsExactly("backlog.lock");
                    writer.kill();
                    open().close();
                    continue;
                }
                assertThatExceptionOfType(BacklogLockedException.class)
                        .isThrownBy(this::open)
                        .withMessageContaining(writer.pid() + "@");
                long[] ids = writer.kill();
                long confirmed = ids[ids.length - 1];
                try (SqliteBacklogStore store = open()) {
                    assertThat(store.size().entries()).isGreaterThanOrEqualTo(confirmed);
                    assertThat(store.next(confirmed - 1, 1).join())
                            .first()
                            .extracting(Entry::id)
                            .isEqualTo(confirmed);
                }
            }
        }
    }

    /** Which files something makes in the directory, or renames. */
    private List<String> made(Runnable something) throws Exception {
        try (WatchService watch = directory.getFileSystem().newWatchService()) {
            directory.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            something.run();
            Files.createFile(directory.resolve("the end"));
            List<String> made = new ArrayList<>();
            while (!made.contains("the end")) {
                WatchKey key = watch.take();
                key.pollEvents().forEach(event -> made.add(String.valueOf(event.context())));
                key.reset();
            }
            Files.delete(directory.resolve("the end"));
            made.remove("the end");
            return made;
        }
    }

    @Test
    void survivesATornTailWhereverItIsTorn() throws Exception {
        Path log = directory.resolve("backlog.db-wal");
        SQLiteConfig smallPages = new SQLiteConfig();
        smallPages.setPageSize(512);
        try (SqliteBacklogStore store =
                new SqliteBacklogStore(directory, 100, 1_000, false, smallPages, GroupCommit.Log::of)) {
            put(store, "first");
            put(store, "second");
            byte[] mark = Files.readAllBytes(directory.resolve(Mark.FILE)); // the last one is not confirmed
            long before = Files.size(log);
            put(store, "last");
            long after = Files.size(log);
            assertThat(after).isGreaterThan(before);
            Path torn = Files.createDirectory(directory.resolve("torn"));
            SQLiteConfig quick = new SQLiteConfig();
            quick.setSynchronous(SQLiteConfig.SynchronousMode.OFF); // the same recovery, without waiting for the disk
            for (long length = before; length <= after; length++) {
                copyTorn(log, torn, length);
                try (Connection recovered = quick.createConnection("jdbc:sqlite:" + torn.resolve("backlog.db"))) {
                    assertThat(bodies(recovered))
                            .as("torn at %d of %d", length, after)
                            .isEqualTo(
                                    length == after ? List.of("first", "second", "last") : List.of("first", "second"));
                }
            }
            copyTorn(log, torn, after - 1);
            Files.write(torn.resolve(Mark.FILE), mark);
            try (SqliteBacklogStore recovered = new SqliteBacklogStore(torn, 100, 1_000, false)) {
                assertThat(put(recovered, "next")).isEqualTo(3);
                assertThat(bodies(recovered)).containsExactly("first", "second", "next");
            }
        }
    }

    private void copyTorn(Path log, Path torn, long length) throws IOException {
        try (Stream<Path> old = Files.list(torn)) {
            old.forEach(SqliteBacklogStoreTests::delete);
        }
        Files.copy(directory.resolve("backlog.db"), torn.resolve("backlog.db"));
        Path copy = torn.resolve("backlog.db-wal");
        Files.copy(log, copy);
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void saysThatTheDiskIsFullAndGoesOnWhenItIsNotAnyMore() {
        SQLiteConfig small = new SQLiteConfig();
        small.setMaxPageCount(16);
        try (SqliteBacklogStore store =
                new SqliteBacklogStore(directory, 1_000_000, Long.MAX_VALUE, false, small, GroupCommit.Log::of)) {
            List<CompletableFuture<Long>> puts = new ArrayList<>();
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> {
                        while (true) {
                            puts.add(store.put(ROW, DECIDED, new byte[1_000]));
                            puts.get(puts.size() - 1).join();
                        }
                    })
                    .withCauseExactlyInstanceOf(BacklogException.class)
                    .withMessageContainingAll("The disk is full", "make room", "backlog.db");
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
                assertThat(store.refusal()).hasMessageContainingAll("The disk is full", "make room");
                assertThat(entries(store)).hasSize(20);
                assertThatExceptionOfType(CompletionException.class)
                        .isThrownBy(() -> put(store, "x".repeat(10_000)))
                        .withMessageContaining("The disk is full");
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

    @Test
    void saysThatTheDirectoryCannotBeWritten() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(() -> new SqliteBacklogStore(file, 1, 1, false))
                .withMessageContainingAll(file.toString(), "one that this process may write, on a local disk");
    }

    /** Root could write it all the same. */
    @Test
    void saysThatTheDirectoryIsReadOnly() throws Exception {
        Path closed = Files.createDirectory(
                directory.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(() -> new SqliteBacklogStore(closed, 1, 1, false))
                .withMessageContainingAll(
                        closed.toString(), "read-only", "one that this process may write, on a local disk");
    }

    @Test
    void letsNobodyElseRead() throws Exception {
        Path open = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path old = Files.createFile(open.resolve("backlog.lock"));
        Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rw-r--r--"));
        for (Path place : List.of(open, directory.resolve("new"))) {
            try (SqliteBacklogStore store = new SqliteBacklogStore(place, 10, 1_000, false);
                    Stream<Path> files = Files.list(place)) {
                put(store, "secret");
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
                        .isEqualTo("rwx------");
                assertThat(files.map(SqliteBacklogStoreTests::permissions))
                        .hasSize(4)
                        .containsOnly("rw-------");
            }
        }
    }

    /** As Kubernetes mounts a volume for a group: the directory is root's, and each mount widens what is in it. */
    @Test
    void worksBelowADirectoryThatIsAnothersAndSaysSo() throws Exception {
        Path volume = Files.createDirectory(directory.resolve("volume"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path own = volume.resolve("backlog");
        String[] mount = {"sh", "-c", "chgrp -R 2000 %1$s && chmod -R g+rwX %1$s && chmod g+s %1$s".formatted(volume)};
        assumeThat(run(mount)).as("only root gives files away").isZero();
        assumeThat(asAnother("true")).as("only root may become another user").isZero();
        Path said = directory.resolve("said");
        String[] start = {
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-classpath",
            System.getProperty("java.class.path"),
            Another.class.getName(),
            said.toString()
        };
        Files.setPosixFilePermissions(Files.createFile(said), PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThat(asAnother(with(start, volume))).isZero();
        assertThat(Files.readString(said))
                .contains("others may read it", "owner 'root'", "set surewrite.backlog.directory to " + own);
        for (int i = 0; i < 2; i++) {
            assertThat(asAnother(with(start, own))).isZero();
            assertThat(Files.readString(said)).isEqualTo("taken");
            assertThat(permissions(own)).isEqualTo("rwx------");
            assertThat(permissions(own.resolve("backlog.lock"))).isEqualTo("rw-------");
            assertThat(run(mount)).isZero();
            assertThat(permissions(own)).isEqualTo("rwxrwx---");
        }
    }

    private static String[] with(String[] command, Path directory) {
        String[] longer = Arrays.copyOf(command, command.length + 1);
        longer[command.length] = directory.toString();
        return longer;
    }

    /** A user who may read all, so as to find classes, and write and change only what is his or his group's. */
    private static int asAnother(String... command) throws Exception {
        List<String> all = new ArrayList<>(
                List.of("setpriv", "--reuid=65534", "--regid=2000", "--clear-groups", "--inh-caps=+dac_read_search"));
        all.add("--ambient-caps=+dac_read_search");
        all.addAll(List.of(command));
        return run(all.toArray(String[]::new));
    }

    /** A process of another user. */
    static final class Another {

        private Another() {}

        public static void main(String[] args) throws IOException {
            String said;
            try {
                DirectoryLock.take(Path.of(args[1])).close();
                said = "taken";
            } catch (BacklogException refused) {
                said = String.valueOf(refused.getMessage());
            }
            Files.writeString(Path.of(args[0]), said);
        }
    }

    private static String permissions(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void saysThatTheFileSystemTakesNothing() {
        Path kernels = Path.of("/sys");
        assumeThat(Files.isDirectory(kernels)).as("only Linux has this one").isTrue();
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(() -> new SqliteBacklogStore(kernels.resolve("backlog"), 1, 1, false))
                .withMessageContainingAll("/sys/backlog", "one that this process may write, on a local disk");
    }

    @Test
    void saysThatTheFileIsDamaged() throws Exception {
        Files.writeString(directory.resolve("backlog.db"), "This is no database. ".repeat(1_000));
        for (int i = 0; i < 2; i++) { // the lock is free again after the first
            assertThatExceptionOfType(BacklogException.class)
                    .isThrownBy(this::open)
                    .withMessageContainingAll("backlog.db", "damaged", "surewrite.backlog.recover=accept-loss");
        }
    }

    @Test
    void confirmsOnlyWhatIsOnTheDisk() {
        TestDisk disk = new TestDisk();
        try (SqliteBacklogStore store = disk.store(directory)) {
            CompletableFuture<Long> one = store.put(ROW, DECIDED, new byte[1]);
            await().until(() -> entries(store).size() == 1);
            await().during(Duration.ofMillis(100)).until(() -> !one.isDone());
            store.remove(ids(store)).join(); // nothing is lost if it was not done
            disk.flushes.release();
            one.join();
            disk.flushes.release(1_000);
        }
    }

    @Test
    void writesWhatComesWhileTheDiskIsWaitedFor() {
        TestDisk disk = new TestDisk();
        try (SqliteBacklogStore store = disk.store(directory)) {
            CompletableFuture<Long> one = store.put(ROW, DECIDED, new byte[1]);
            await().until(disk.flushes::hasQueuedThreads);
            CompletableFuture<Long> two = store.put(ROW, DECIDED, new byte[1]);
            await().until(() -> entries(store).size() == 2);
            disk.flushes.release();
            one.join();
            await().during(Duration.ofMillis(100)).until(() -> !two.isDone());
            disk.flushes.release(1_000);
            two.join();
        }
    }

    @Test
    void keepsNothingMoreWhenTheDiskDidNotConfirm() {
        TestDisk disk = new TestDisk();
        try (SqliteBacklogStore store = disk.store(directory)) {
            disk.flushes.release(1_000);
            put(store, "one");
            assertThat(store.failure()).isNull();
            disk.broken = true;
            for (Class<? extends Exception> failure : List.of(UnknownOutcomeException.class, BacklogException.class)) {
                assertThatExceptionOfType(CompletionException.class)
                        .isThrownBy(() -> put(store, "two"))
                        .withCauseExactlyInstanceOf(failure)
                        .withMessageContainingAll("did not confirm", "no disk", "all the same", "system's log");
                disk.broken = false;
            }
            assertThat(store.failure()).hasMessageContaining("Nothing more is kept until a restart");
            assertThat(bodies(store)).containsExactly("one", "two");
            store.remove(ids(store)).join();
        }
    }

    @Test
    void everyCallerHearsOfAFlushThatEndsInAnError() {
        TestDisk disk = new TestDisk();
        try (SqliteBacklogStore store = disk.store(directory)) {
            disk.dying = true;
            disk.flushes.release(1_000);
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> put(store, "one"))
                    .withCauseExactlyInstanceOf(UnknownOutcomeException.class)
                    .withMessageContaining("no memory");
            assertThat(store.failure()).isNotNull();
        }
    }

    @Test
    void aMarkIsMadeWholeOrNotAtAll() throws Exception {
        Path making = Files.createDirectory(directory.resolve("backlog.mark.making"));
        assertThatExceptionOfType(BacklogException.class).isThrownBy(this::open);
        assertThat(directory.resolve("backlog.mark")).doesNotExist();
        Files.delete(making);
        Files.write(making, new byte[20]); // a crash in the middle
        try (SqliteBacklogStore store = open()) {
            put(store, "one");
        }
        try (SqliteBacklogStore store = open()) {
            assertThat(bodies(store)).containsExactly("one");
        }
    }

    @Test
    void answersNobodyAfterItsEnd() {
        SqliteBacklogStore store = open();
        CompletableFuture<Long> before = store.put(ROW, DECIDED, new byte[1]);
        store.close();
        assertThat(before).isCompleted();
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> put(store, "late"))
                .withMessageContaining("The backlog is closed");
    }

    private SqliteBacklogStore open() {
        return new SqliteBacklogStore(directory, Long.MAX_VALUE, Long.MAX_VALUE, false);
    }

    private static long put(BacklogStore store, String body) {
        return store.put(ROW, DECIDED, EntryCodec.sealed(body.getBytes(UTF_8))).join();
    }

    private static List<Entry> entries(BacklogStore store) {
        return store.next(0, Integer.MAX_VALUE).join();
    }

    private static List<Long> ids(BacklogStore store) {
        return entries(store).stream().map(Entry::id).toList();
    }

    private static List<String> bodies(BacklogStore store) {
        return bodies(entries(store));
    }

    private static List<String> bodies(Connection database) throws SQLException {
        List<String> bodies = new ArrayList<>();
        try (ResultSet rows = database.createStatement().executeQuery("SELECT body FROM entry ORDER BY id")) {
            while (rows.next()) {
                bodies.add(text(rows.getBytes(1)));
            }
        }
        return bodies;
    }

    private static List<String> bodies(List<Entry> entries) {
        return entries.stream().map(entry -> text(entry.body())).toList();
    }

    private static String text(byte[] body) {
        assertThat(EntryCodec.isWhole(body)).isTrue();
        return new String(body, 0, body.length - Integer.BYTES, UTF_8);
    }
}
