package io.surewrite.backlog.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.backlog.BacklogDamagedException;
import io.surewrite.backlog.BacklogException;
import io.surewrite.backlog.BacklogStore;
import io.surewrite.backlog.BacklogStore.DeadEntry;
import io.surewrite.backlog.BacklogStore.Entry;
import io.surewrite.backlog.DeadLetter;
import io.surewrite.backlog.replay.EntryCodec;
import io.surewrite.testsupport.Nightly;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a disk may do to the files: what was confirmed is there, or reported; nothing else is ever there. */
class DamagedFilesTests {

    private static final BacklogStore.Key ROW = new BacklogStore.Key("test.rows", null);

    private static final List<String> FILES = List.of("backlog.db", "backlog.db-wal", "backlog.mark");

    @TempDir
    private static Path place;

    /** The files as processes leave them, by how they ended. */
    private static final Map<String, Map<String, byte[]>> LEFT = new TreeMap<>();

    /** What waited then. */
    private static final Set<String> WAITING = new HashSet<>();

    private static final Set<String> DEAD = Set.of("entry 3", "entry 4");

    @BeforeAll
    static void leaveFiles() throws IOException {
        Path directory = place.resolve("left");
        try (SqliteBacklogStore store = open(directory, false)) {
            fill(store, 40, 700);
            LEFT.put("killed", read(directory));
        }
        LEFT.put("closed", read(directory));
        try (SqliteBacklogStore store = open(directory, false)) {
            store.failed(all(store).get(0)).join();
            Map<String, byte[]> killed = read(directory);
            LEFT.put("killed without a new entry", killed);
        }
        // The log is in the database already, and still there: a crash at the end of a checkpoint.
        Map<String, byte[]> both = new HashMap<>(LEFT.get("killed"));
        both.put("backlog.db", LEFT.get("closed").get("backlog.db"));
        LEFT.put("checkpointed", both);
        // Half of it is.
        both = new HashMap<>(both);
        byte[] half = LEFT.get("killed").get("backlog.db").clone();
        byte[] later = LEFT.get("closed").get("backlog.db");
        half = Arrays.copyOf(half, later.length);
        System.arraycopy(later, later.length / 2, half, later.length / 2, later.length - later.length / 2);
        both.put("backlog.db", half);
        LEFT.put("half checkpointed", both);
    }

    private static void fill(SqliteBacklogStore store, int many, int length) {
        List<CompletableFuture<Long>> puts = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            puts.add(put(store, "entry " + i, length));
            if (i % 7 == 0) {
                puts.get(i).join();
            }
        }
        puts.forEach(CompletableFuture::join);
        List<Entry> entries = all(store);
        for (Entry entry : entries.subList(3, 5)) {
            store.bury(new DeadEntry(entry, Instant.EPOCH, DeadLetter.Reason.REJECTED, "no table"))
                    .join();
        }
        store.remove(ids(entries.subList(8, 20))).join();
        put(store, "the last", length).join();
        all(store).forEach(entry -> WAITING.add(name(entry)));
    }

    private static CompletableFuture<Long> put(BacklogStore store, String name, int length) {
        return store.put(ROW, Instant.EPOCH, EntryCodec.sealed((name + " ".repeat(length)).getBytes(UTF_8)));
    }

    private static String name(Entry entry) {
        assertThat(EntryCodec.isWhole(entry.body())).isTrue();
        return new String(entry.body(), 0, entry.body().length - Integer.BYTES, UTF_8).trim();
    }

    private static List<Entry> all(BacklogStore store) {
        return store.next(0, Integer.MAX_VALUE).join();
    }

    private static List<Long> ids(List<Entry> entries) {
        return entries.stream().map(Entry::id).toList();
    }

    private static SqliteBacklogStore open(Path directory, boolean acceptLoss) {
        return new SqliteBacklogStore(directory, Long.MAX_VALUE, Long.MAX_VALUE, acceptLoss);
    }

    /** The mark first, as what is confirmed later need not be there. */
    private static Map<String, byte[]> read(Path directory) throws IOException {
        Map<String, byte[]> files = new HashMap<>();
        for (String name : List.of("backlog.mark", "backlog.db-wal", "backlog.db")) {
            Path file = directory.resolve(name);
            if (Files.exists(file)) {
                files.put(name, Files.readAllBytes(file));
            }
        }
        return files;
    }

    private static Path write(String name, Map<String, byte[]> files) {
        try {
            Path directory = Files.createDirectories(place.resolve(name));
            for (String file : FILES) {
                Files.deleteIfExists(directory.resolve(file));
                if (files.containsKey(file)) {
                    Files.write(directory.resolve(file), files.get(file));
                }
            }
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void findsAllInFilesThatNothingHappenedTo() {
        LEFT.forEach((how, files) -> {
            try (SqliteBacklogStore store = open(write("whole", files), false)) {
                assertThat(all(store))
                        .as(how)
                        .extracting(DamagedFilesTests::name)
                        .containsExactlyInAnyOrderElementsOf(WAITING);
                assertThat(store.size().lost()).isZero();
            }
        });
    }

    @Test
    void replaysOrReportsWhateverIsDamaged() {
        damage(60, new Random().nextLong());
    }

    @Test
    @Nightly
    void replaysOrReportsWhateverIsDamagedForLong() {
        damage(500, new Random().nextLong());
    }

    private static void damage(int cases, long seed) {
        Random random = new Random(seed);
        Map<String, Integer> outcomes = new TreeMap<>();
        for (int i = 0; i < cases; i++) {
            String how = new ArrayList<>(LEFT.keySet()).get(i % LEFT.size());
            Map<String, byte[]> files = new HashMap<>(LEFT.get(how));
            String what = "%s, seed %d, case %d: ".formatted(how, seed, i) + harm(files, random);
            try {
                outcomes.merge(judge(what, files), 1, Integer::sum);
            } catch (AssertionError wrong) {
                throw new AssertionError(what, wrong);
            }
        }
        System.out.println("damaged files, seed " + seed + ": " + outcomes);
    }

    /** Flips a bit, sets a byte or cuts, in a header, a frame, a page or the mark; or a whole file is empty or gone. */
    private static String harm(Map<String, byte[]> files, Random random) {
        List<String> names = FILES.stream().filter(files::containsKey).toList();
        String file = names.get(random.nextInt(names.size()));
        byte[] bytes = files.get(file).clone();
        int position = position(file, bytes.length, random);
        int kind = random.nextInt(10);
        if (kind == 0) {
            files.remove(file);
            return file + " removed";
        }
        if (kind == 1) {
            files.put(file, new byte[0]);
            return file + " emptied";
        }
        if (kind == 2) {
            files.put(file, Arrays.copyOf(bytes, position));
            return "%s cut at %d".formatted(file, position);
        }
        byte before = bytes[position];
        bytes[position] = kind < 8 ? (byte) (before ^ 1 << random.nextInt(8)) : (byte) random.nextInt();
        files.put(file, bytes);
        return "%s at %d: %d is %d".formatted(file, position, before, bytes[position]);
    }

    private static int position(String file, int length, Random random) {
        int page = 4096;
        int frame = page + 24;
        return switch (file) {
            case "backlog.mark" -> random.nextBoolean() ? random.nextInt(36) : page + random.nextInt(36);
            case "backlog.db-wal" ->
                switch (random.nextInt(3)) {
                    case 0 -> random.nextInt(32);
                    case 1 -> 32 + random.nextInt((length - 32) / frame) * frame + random.nextInt(24);
                    default -> random.nextInt(length);
                };
            default ->
                switch (random.nextInt(3)) {
                    case 0 -> random.nextInt(100);
                    case 1 -> random.nextInt(length / page) * page + random.nextInt(40);
                    default -> random.nextInt(length);
                };
        };
    }

    private static String judge(String what, Map<String, byte[]> files) {
        Path directory = write("damaged", files);
        try (SqliteBacklogStore store = open(directory, false)) {
            assertThat(names(store)).as(what).containsAll(WAITING);
            assertThat(deadNames(store)).as(what).containsAll(DEAD);
            assertThat(store.size().lost()).as(what).isZero();
            return "all there";
        } catch (BacklogDamagedException reported) {
            assertThat(reported).as(what).hasMessageContaining("surewrite.backlog.recover=accept-loss");
        }
        try {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                assertThat(Files.readAllBytes(directory.resolve(file.getKey())))
                        .as("%s: %s is as it was", what, file.getKey())
                        .isEqualTo(file.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long lost;
        Set<String> saved;
        try (SqliteBacklogStore store = open(directory, true)) {
            saved = names(store);
            saved.addAll(deadNames(store));
            lost = store.size().lost();
            Set<String> all = new HashSet<>(WAITING);
            all.addAll(DEAD);
            all.removeAll(saved);
            assertThat(lost).as("%s: %s are gone", what, all).isGreaterThanOrEqualTo(all.size());
            put(store, "next", 10).join();
        }
        try (SqliteBacklogStore store = open(directory, false)) { // and it is whole again
            assertThat(store.size().lost()).as(what).isEqualTo(lost);
            assertThat(names(store)).contains("next");
        }
        return lost == 0 ? "refused, all saved" : "refused, reported";
    }

    /** Those of entries; nothing that was never put. */
    private static Set<String> names(BacklogStore store) {
        Set<String> names = new HashSet<>();
        all(store).forEach(entry -> {
            assertThat(names.add(name(entry))).isTrue();
            assertThat(name(entry)).matches("entry \\d+|the last|next");
        });
        return names;
    }

    private static Set<String> deadNames(BacklogStore store) {
        Set<String> names = new HashSet<>();
        store.deadLetters(0, Integer.MAX_VALUE).join().stream()
                .filter(dead -> !dead.reason().isLoss())
                .forEach(dead -> names.add(name(dead.entry())));
        return names;
    }

    @Test
    void whatIsLostIsADeadLetterThatOnlyADecisionEnds() throws Exception {
        Map<String, byte[]> files = new HashMap<>(LEFT.get("closed"));
        files.put("backlog.db", edited(files, "UPDATE entry SET body = x'00' WHERE id = 1"));
        Path directory = write("edited", files);
        assertThatExceptionOfType(BacklogDamagedException.class)
                .isThrownBy(() -> open(directory, false))
                .withMessageContainingAll("1 entries, the first 1, are not what was kept", "At most 0");
        try (SqliteBacklogStore store = open(directory, true)) {
            DeadEntry letter = store.deadLetters(0, 10).join().stream()
                    .filter(dead -> dead.reason() == DeadLetter.Reason.DAMAGED)
                    .findFirst()
                    .orElseThrow();
            List<Long> id = List.of(letter.entry().id());
            assertThat(store.size().lost()).isEqualTo(1);
            assertThat(store.revive(id).join()).isZero();
            assertThat(store.discard(id).join()).isEqualTo(1);
            assertThat(store.size().lost()).isZero();
        }
        try (Stream<Path> kept = Files.list(directory)) {
            assertThat(kept.map(path -> path.getFileName().toString())).anyMatch(name -> name.startsWith("damaged-"));
        }
        open(directory, false).close();
    }

    private static byte[] edited(Map<String, byte[]> files, String sql) throws SQLException, IOException {
        Path directory = write("editing", files);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("backlog.db"));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        return Files.readAllBytes(directory.resolve("backlog.db"));
    }

    /** A damaged page shows a row twice: it is taken once, and does not stand for one that is gone. */
    @Test
    void countsNoRowTwice() {
        int page = 4096;
        byte[] closed = LEFT.get("closed").get("backlog.db");
        int leaves = 0;
        for (int at = page; at < closed.length; at += page) {
            if (closed[at] == 13) { // a leaf of a table
                leaves++;
                Map<String, byte[]> files = new HashMap<>(LEFT.get("closed"));
                byte[] bytes = closed.clone();
                bytes[at + 3] ^= 2; // 512 rows more than there are
                files.put("backlog.db", bytes);
                judge("leaf at " + at, files);
            }
        }
        assertThat(leaves).isPositive();
    }

    @Test
    void noticesWhatIsTakenOutByHand() throws Exception {
        Map<String, byte[]> files = new HashMap<>(LEFT.get("closed"));
        files.put("backlog.db", edited(files, "DELETE FROM entry WHERE id = 2"));
        assertThatExceptionOfType(BacklogDamagedException.class)
                .isThrownBy(() -> open(write("deleted", files), false))
                .withMessageContainingAll("of the entries up to 41", "At most 1");
    }

    @Test
    void goesOnCountingWhereAllWasDoneAndTheDatabaseIsGone() throws Exception {
        Path directory = place.resolve("drained");
        try (SqliteBacklogStore store = open(directory, false)) {
            put(store, "entry", 10).join();
            store.remove(ids(all(store))).join();
        }
        Files.delete(directory.resolve("backlog.db"));
        for (int i = 2; i < 4; i++) {
            try (SqliteBacklogStore store = open(directory, false)) {
                assertThat(put(store, "entry", 10).join()).isEqualTo(i);
            }
        }
    }

    @Test
    void takesOverTheFileOfAnEarlierVersion() throws Exception {
        Path directory = Files.createDirectory(place.resolve("early"));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("backlog.db"));
                Statement statement = connection.createStatement()) {
            for (String sql : List.of(
                    "PRAGMA journal_mode = WAL",
                    "CREATE TABLE entry (id INTEGER PRIMARY KEY, decided INTEGER NOT NULL, attempts INTEGER NOT NULL, body BLOB NOT NULL)",
                    "CREATE TABLE dead_letter (id INTEGER PRIMARY KEY, decided INTEGER NOT NULL, attempts INTEGER NOT NULL, body BLOB NOT NULL, died INTEGER NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL)",
                    "INSERT INTO entry VALUES (5, 0, 2, CAST('entry 5' AS BLOB)), (9, 0, 0, CAST('entry 9' AS BLOB))",
                    "INSERT INTO dead_letter VALUES (7, 0, 2, CAST('entry 7' AS BLOB), 0, 'REJECTED', 'no table')",
                    "PRAGMA user_version = 1")) {
                statement.execute(sql);
            }
        }
        for (int i = 0; i < 2; i++) {
            try (SqliteBacklogStore store = open(directory, false)) {
                assertThat(names(store)).contains("entry 5", "entry 9").hasSize(2 + i);
                assertThat(deadNames(store)).containsExactly("entry 7");
                assertThat(put(store, "entry 1" + i, 1).join()).isEqualTo(10 + i);
            }
        }
        Files.delete(directory.resolve("backlog.mark"));
        assertThatExceptionOfType(BacklogDamagedException.class)
                .isThrownBy(() -> open(directory, false))
                .withMessageContaining("backlog.mark is missing");
    }

    /** Kills a process that puts entries, and damages what it leaves every second time. */
    @Test
    @Nightly
    void losesNothingSilentlyWhereProcessesAreKilledAndBytesChange() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Path directory = place.resolve("kills");
        Path said = place.resolve("said");
        int reported = 0;
        for (int round = 0; round < 20; round++) {
            long[] confirmed;
            try (KilledWriter writer = KilledWriter.start(directory, said, 40 + random.nextInt(400))) {
                confirmed = writer.kill();
            }
            long last = confirmed[confirmed.length - 1];
            if (round % 2 == 1) {
                Map<String, byte[]> files = read(directory);
                System.out.println("round " + round + ", seed " + seed + ": " + harm(files, random));
                write("kills", files);
            }
            long there;
            try (SqliteBacklogStore store = open(directory, false)) {
                there = store.size().entries();
                assertThat(all(store)).allMatch(entry -> EntryCodec.isWhole(entry.body()));
                store.remove(ids(all(store))).join();
            } catch (BacklogDamagedException refused) {
                assertThat(round % 2)
                        .as("round %d, seed %d: %s", round, seed, refused)
                        .isEqualTo(1);
                reported++;
                try (SqliteBacklogStore store = open(directory, true)) {
                    there = store.size().entries() + store.size().lost();
                    store.remove(ids(all(store))).join();
                    store.discard(store.deadLetters(0, 1_000).join().stream()
                                    .map(dead -> dead.entry().id())
                                    .toList())
                            .join();
                }
            }
            // Ids begin anew after a recovery, so what was put in this round counts.
            long first = confirmed[0] - 1;
            assertThat(there).as("round %d, seed %d", round, seed).isGreaterThanOrEqualTo(last - first);
        }
        System.out.println("killed and damaged, seed " + seed + ": reported " + reported + " of 10");
    }

    /** The process that has the files reads pages again that a large backlog does not hold in memory. */
    @Test
    @Nightly
    void noticesItInAFileOfTenThousandWhileAProcessUsesIt() throws Exception {
        useDamaged(10_000, 60, new Random().nextLong());
    }

    @Test
    void noticesItWhileAProcessUsesTheFiles() throws Exception {
        useDamaged(1_500, 6, new Random().nextLong());
    }

    private static void useDamaged(int many, int cases, long seed) throws IOException {
        Random random = new Random(seed);
        Map<String, Integer> outcomes = new TreeMap<>();
        for (int i = 0; i < cases; i++) {
            String file = FILES.get(i % FILES.size());
            Path directory = place.resolve("used " + seed + " " + i);
            Use use = new Use(directory, many, random);
            String what = "seed %d, case %d: ".formatted(seed, i);
            try {
                String damage = use.damage(file);
                what += damage;
                outcomes.merge(file + ": " + use.judge(), 1, Integer::sum);
            } catch (AssertionError wrong) {
                throw new AssertionError(what, wrong);
            } finally {
                use.store.close();
            }
        }
        System.out.println("damaged while used, seed " + seed + ": " + outcomes);
    }

    /** A process that puts and does entries while the disk damages a file. */
    private static final class Use {

        private final Path directory;
        private final Random random;
        private final SqliteBacklogStore store;

        /** What was put, whatever was said of it. */
        private final Set<String> put = new HashSet<>();

        private final Set<String> confirmed = new HashSet<>();
        private final Set<String> done = new HashSet<>();
        private boolean noticed;

        /** Half of what waits is in the database, the rest, or most of it, in the log. */
        private Use(Path directory, int many, Random random) {
            this.directory = directory;
            this.random = random;
            try (SqliteBacklogStore before = open(directory, false)) {
                put(before, "entry", many / 2);
            }
            this.store = open(directory, false);
            put(store, "entry 0", many / 2);
            assertThat(confirmed).hasSize(many / 2 * 2);
        }

        private void put(SqliteBacklogStore where, String name, int many) {
            Map<String, CompletableFuture<Long>> puts = new HashMap<>();
            for (int i = 0; i < many; i++) {
                String entry = name + " " + i;
                put.add(entry);
                puts.put(entry, DamagedFilesTests.put(where, entry, 700));
            }
            puts.forEach((entry, asked) -> {
                try {
                    asked.join();
                    confirmed.add(entry);
                } catch (CompletionException failure) {
                    noticed = true;
                }
            });
        }

        /** Damages a file some time and goes on, until the end or until nothing goes on. */
        private String damage(String name) throws IOException {
            String what = "";
            int when = random.nextInt(4);
            for (int round = 0; round < 4; round++) {
                if (round == when) {
                    what = harm(directory.resolve(name)) + ", round " + round;
                }
                put(store, "entry 1" + round, 20);
                if (round == 3) {
                    break; // these wait
                }
                try {
                    doAll();
                } catch (CompletionException failure) {
                    noticed = true;
                }
            }
            noticed |= store.failure() != null || store.size().lost() > 0;
            return what;
        }

        /** A bit here and there, or a part of the file or the whole is gone. */
        private String harm(Path file) throws IOException {
            int kind = random.nextInt(10);
            if (kind == 0) {
                Files.delete(file);
                return file + " removed";
            }
            try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
                int length = (int) bytes.length();
                if (kind < 3) {
                    int left = kind == 1 ? 0 : random.nextInt(length);
                    bytes.setLength(left);
                    return "%s cut at %d of %d".formatted(file, left, length);
                }
                StringBuilder what = new StringBuilder(file + " changed at");
                for (int i = random.nextInt(5); i >= 0; i--) {
                    int at = position(file.getFileName().toString(), length, random);
                    what.append(' ').append(at);
                    bytes.seek(at);
                    int before = bytes.read();
                    bytes.seek(at);
                    bytes.write(before ^ 1 << random.nextInt(8));
                }
                return what.append(" of ").append(length).toString();
            }
        }

        private void doAll() {
            long after = 0;
            List<Entry> page = store.next(after, 256).join();
            for (int pages = 0; !page.isEmpty() && pages < 100; pages++) {
                List<Long> over = new ArrayList<>();
                for (Entry entry : page) {
                    after = entry.id();
                    if (!EntryCodec.isWhole(entry.body())) {
                        store.bury(new DeadEntry(entry, Instant.EPOCH, DeadLetter.Reason.DAMAGED, ""))
                                .join();
                    } else if (random.nextInt(3) > 0) { // the rest waits
                        done.add(name(entry));
                        over.add(entry.id());
                    }
                }
                store.remove(over).join();
                page = store.next(after, 256).join();
            }
        }

        /** What became of all that was confirmed, after the end of the process or a crash. */
        private String judge() throws IOException {
            assertThat(put).as("nothing else was ever done").containsAll(done);
            Path left = directory;
            boolean killed = random.nextBoolean();
            if (killed) {
                left = write(directory.getFileName() + " killed", read(directory));
            } else {
                try {
                    store.close();
                } catch (BacklogException failure) {
                    noticed = true;
                }
            }
            boolean refused = false;
            SqliteBacklogStore next;
            try {
                next = open(left, false);
            } catch (BacklogDamagedException reported) {
                refused = true;
                next = open(left, true);
            }
            try (SqliteBacklogStore after = next) {
                Set<String> there = new HashSet<>(done);
                all(after).stream()
                        .filter(entry -> EntryCodec.isWhole(entry.body()))
                        .forEach(entry -> there.add(name(entry)));
                assertThat(put).as("nothing else is there").containsAll(there);
                Set<String> missing = new HashSet<>(confirmed);
                missing.removeAll(there);
                assertThat((long) missing.size())
                        .as("missing, and reported; %s, noticed before: %s", killed ? "killed" : "closed", noticed)
                        .isLessThanOrEqualTo(after.size().lost());
                return missing.isEmpty() ? "all there" : "reported " + (refused ? "at the start" : "in use");
            }
        }
    }
}
