package io.surewrite.backlog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.surewrite.testsupport.Nightly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a disk may do to the files: what was confirmed is there, or reported; nothing else is ever there. */
class DamagedFilesTests {

    /** Makes a dead letter of what the server did not take. */
    static CompletableFuture<Boolean> reject(SqliteBacklogStore store, StoredEntry entry) {
        return store.bury(entry.dead(Instant.EPOCH, DeadLetter.Reason.REJECTED, "no table"));
    }

    private static final int PAGE = 4096;

    private static final String DATABASE = "backlog.db";

    private static final String JOURNAL = "backlog.db-journal";

    @TempDir
    private static Path place;

    /** The files as a process leaves them between two transactions, and what is in them. */
    private static Map<String, byte[]> left;

    private static State confirmed;

    /** The database after one more transaction, and what is in it. */
    private static byte[] following;

    private static State unconfirmed;

    /** What SQLite has in its journal while that transaction changes the database. */
    private static byte[] hotJournal;

    /** What is there: the names of entries and of dead letters. */
    private record State(Set<String> waiting, Set<String> dead) {

        static State of(SqliteBacklogStore store) {
            return new State(names(all(store)), names(letters(store, false)));
        }

        Set<String> both() {
            Set<String> all = new HashSet<>(waiting);
            all.addAll(dead);
            return all;
        }
    }

    @BeforeAll
    static void leaveFiles() throws IOException {
        Path directory = place.resolve("left");
        TestDisk disk = TestDisk.ready();
        try (SqliteBacklogStore store = disk.store(directory)) {
            IntStream.range(0, 60).forEach(i -> put(store, "entry " + i).join());
            List<Long> ids = ids(all(store));
            for (int i = 3; i < 6; i++) {
                reject(store, all(store).get(i)).join();
            }
            store.remove(ids.subList(8, 20)).join();
            left = read(directory);
            State before = State.of(store);

            disk.commits.drainPermits();
            CompletableFuture<Long> last = put(store, "entry 60");
            await().until(disk.commits::hasQueuedThreads);
            List<CompletableFuture<?>> together = new ArrayList<>();
            IntStream.range(61, 90).forEach(i -> together.add(put(store, "entry " + i)));
            together.add(store.remove(ids.subList(24, 34)));
            together.add(store.discard(ids.subList(3, 4)));
            together.add(store.revive(ids.subList(4, 5)));
            together.add(reject(store, StoredEntry.waiting(1, Instant.EPOCH, new byte[0])));
            disk.commits.release();
            last.join();
            await().until(disk.commits::hasQueuedThreads); // all is changed, and not committed
            Map<String, byte[]> begun = read(directory);
            left.put(DATABASE, begun.get(DATABASE));
            hotJournal = hot(begun.get(JOURNAL));
            before.waiting.add("entry 60");
            confirmed = before;
            disk.commits.release(1_000);
            together.forEach(CompletableFuture::join);
            unconfirmed = State.of(store);
            following = read(directory).get(DATABASE);
        }
        assertThat(unconfirmed).isNotEqualTo(confirmed);
    }

    /** As it is when SQLite has brought it to the disk: its beginning says what it is, and how many pages are in it. */
    private static byte[] hot(byte[] begun) {
        ByteBuffer journal = ByteBuffer.wrap(begun.clone());
        int nonce = journal.getInt(12);
        int pages = 0;
        for (int at = journal.getInt(20); at + PAGE + 8 <= begun.length; at += PAGE + 8) {
            int sum = nonce;
            for (int i = PAGE - 200; i > 0; i -= 200) {
                sum += begun[at + 4 + i] & 0xff;
            }
            if (sum != journal.getInt(at + 4 + PAGE)) {
                break;
            }
            pages++;
        }
        assertThat(pages).isGreaterThan(5);
        return journal.putLong(0, 0xd9d505f920a163d7L).putInt(8, pages).array();
    }

    private static CompletableFuture<Long> put(SqliteBacklogStore store, String name) {
        return store.put(Instant.EPOCH, body(name));
    }

    private static byte[] body(String name) {
        return (name + " ").repeat(60).getBytes(UTF_8);
    }

    private static String name(StoredEntry entry) {
        String all = new String(entry.body(), UTF_8);
        String name = all.substring(0, all.length() / 60 - 1);
        assertThat(entry.isWhole()).isTrue();
        assertThat(entry.body()).isEqualTo(body(name));
        return name;
    }

    /** Each is there once. */
    private static Set<String> names(List<StoredEntry> entries) {
        Set<String> names =
                entries.stream().map(DamagedFilesTests::name).collect(Collectors.toCollection(HashSet::new));
        assertThat(names).hasSameSizeAs(entries);
        return names;
    }

    private static List<StoredEntry> all(SqliteBacklogStore store) {
        return store.next(0, Integer.MAX_VALUE).join();
    }

    private static List<StoredEntry> letters(SqliteBacklogStore store, boolean lost) {
        return store.deadLetters(0, Integer.MAX_VALUE).join().stream()
                .filter(letter -> letter.lost() > 0 == lost)
                .toList();
    }

    private static List<Long> ids(List<StoredEntry> entries) {
        return entries.stream().map(StoredEntry::id).toList();
    }

    private static SqliteBacklogStore open(Path directory, boolean acceptLoss) {
        return new SqliteBacklogStore(directory, Long.MAX_VALUE, Long.MAX_VALUE, acceptLoss);
    }

    private static Map<String, byte[]> read(Path directory) throws IOException {
        Map<String, byte[]> files = new HashMap<>();
        for (String name : List.of(JOURNAL, DATABASE)) {
            Path file = directory.resolve(name);
            if (Files.exists(file)) {
                files.put(name, Files.readAllBytes(file));
            }
        }
        return files;
    }

    private static Path write(String name, Map<String, byte[]> files) throws IOException {
        Path directory = Files.createDirectories(place.resolve(name));
        Files.write(directory.resolve("backlog.here"), new byte[0]);
        for (String file : List.of(DATABASE, JOURNAL)) {
            Files.deleteIfExists(directory.resolve(file));
            if (files.containsKey(file)) {
                Files.write(directory.resolve(file), files.get(file));
            }
        }
        return directory;
    }

    /** A process was killed while SQLite wrote some of the pages of a transaction. */
    private static Map<String, byte[]> cutOff(Random random) {
        byte[] mixed = Arrays.copyOf(left.get(DATABASE), following.length);
        boolean inTurn = random.nextBoolean();
        int pages = following.length / PAGE;
        int written = random.nextInt(pages + 1);
        for (int page = 0; page < pages; page++) {
            boolean isNew = page * PAGE >= left.get(DATABASE).length;
            if (isNew || (inTurn ? page < written : random.nextBoolean())) {
                System.arraycopy(following, page * PAGE, mixed, page * PAGE, PAGE);
            }
        }
        return new HashMap<>(Map.of(DATABASE, mixed, JOURNAL, hotJournal));
    }

    @Test
    void findsAllInFilesThatNothingHappenedTo() throws IOException {
        Random random = new Random();
        for (int i = 0; i < 30; i++) {
            Map<String, byte[]> files = i == 0 ? left : cutOff(random);
            try (SqliteBacklogStore store = open(write("whole", files), false)) {
                assertThat(State.of(store)).isEqualTo(confirmed);
                assertThat(store.size().lost()).isZero();
            }
        }
    }

    /** Until it is on the disk, the journal is of no account, and the database as it was. */
    @Test
    void survivesAJournalThatIsCutOffWhereverItIsCut() throws IOException {
        for (int length = 0; length <= hotJournal.length; length += 511) {
            byte[] torn = Arrays.copyOf(hotJournal, length);
            Arrays.fill(torn, 0, Math.min(12, length), (byte) 0);
            try (SqliteBacklogStore store =
                    open(write("torn", Map.of(DATABASE, left.get(DATABASE), JOURNAL, torn)), false)) {
                assertThat(State.of(store)).isEqualTo(confirmed);
            }
        }
    }

    @Test
    void replaysOrReportsWhateverIsDamaged() throws IOException {
        damage(80, new Random().nextLong());
    }

    @Test
    @Nightly
    void replaysOrReportsWhateverIsDamagedForLong() throws IOException {
        damage(500, new Random().nextLong());
    }

    /** Of three, two are found in a commit. */
    private static void damage(int cases, long seed) throws IOException {
        Random random = new Random(seed);
        Map<String, Integer> outcomes = new TreeMap<>();
        for (int i = 0; i < cases; i++) {
            boolean hot = i % 3 > 0;
            Map<String, byte[]> files = hot ? cutOff(random) : new HashMap<>(left);
            String what = "seed %d, case %d: ".formatted(seed, i) + harm(files, random);
            try {
                outcomes.merge((hot ? "in a commit: " : "between two: ") + judge(files, hot), 1, Integer::sum);
            } catch (AssertionError wrong) {
                throw new AssertionError(what, wrong);
            }
        }
        System.out.println("damaged files, seed " + seed + ": " + outcomes);
    }

    /** Flips a bit, sets a byte, empties a page or cuts; or a whole file is empty or gone. */
    private static String harm(Map<String, byte[]> files, Random random) {
        String file = random.nextInt(3) == 0 ? DATABASE : JOURNAL;
        byte[] bytes = files.get(file).clone();
        int position = position(file, bytes.length, random);
        int kind = random.nextInt(12);
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
        if (kind == 3) {
            int page = position / PAGE * PAGE;
            Arrays.fill(bytes, page, Math.min(page + PAGE, bytes.length), (byte) 0);
            files.put(file, bytes);
            return "%s zeroed at %d".formatted(file, page);
        }
        byte before = bytes[position];
        bytes[position] = kind < 10 ? (byte) (before ^ 1 << random.nextInt(8)) : (byte) random.nextInt();
        files.put(file, bytes);
        return "%s at %d: %d is %d".formatted(file, position, before, bytes[position]);
    }

    private static int position(String file, int length, Random random) {
        int record = file.equals(JOURNAL) ? PAGE + 8 : PAGE;
        int begin = file.equals(JOURNAL) ? 512 : 0;
        int at = switch (random.nextInt(3)) {
            case 0 -> random.nextInt(100);
            case 1 -> begin + random.nextInt(1 + length / record) * record + random.nextInt(40);
            default -> random.nextInt(length);
        };
        return Math.min(at, length - 1);
    }

    private static String judge(Map<String, byte[]> files, boolean hot) throws IOException {
        Path directory = write("damaged", files);
        Set<String> known = unconfirmed.both();
        known.addAll(confirmed.both());
        Set<String> expected = confirmed.both();
        try (SqliteBacklogStore store = open(directory, false)) {
            assertThat(State.of(store)).isIn(hot ? List.of(confirmed, unconfirmed) : List.of(confirmed));
            assertThat(store.size().lost()).isZero();
            return "all there";
        } catch (BacklogException reported) {
            assertThat(reported.reason()).isEqualTo(BacklogException.Reason.DAMAGED);
            assertThat(reported).hasMessageContainingAll("move the directory", "surewrite.backlog.recover=accept-loss");
        }
        if (hot) {
            expected.retainAll(unconfirmed.both()); // the rest was done or discarded
        } else if (files.containsKey(DATABASE)) {
            assertThat(directory.resolve(DATABASE)).hasBinaryContent(files.get(DATABASE));
        }
        long lost;
        try (SqliteBacklogStore store = open(directory, true)) {
            Set<String> saved = State.of(store).both();
            assertThat(known).containsAll(saved);
            expected.removeAll(saved);
            lost = store.size().lost();
            assertThat(lost).as("%s are gone", expected).isGreaterThanOrEqualTo(expected.isEmpty() ? 0 : 1);
            put(store, "next").join();
        }
        try (SqliteBacklogStore store = open(directory, false)) { // and it is whole again
            assertThat(store.size().lost()).isEqualTo(lost);
            assertThat(names(all(store))).contains("next");
        }
        return expected.isEmpty() ? "refused, all saved" : "refused, reported";
    }

    @Test
    void whatIsLostIsADeadLetterThatOnlyADecisionEnds() throws Exception {
        Path directory = write("edited", Map.of(DATABASE, left.get(DATABASE)));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(DATABASE));
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE entry SET body = x'00' WHERE id = 1");
        }
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(() -> open(directory, false))
                .withMessageContainingAll("1 entries, as 1, are not what was kept");
        try (SqliteBacklogStore store = open(directory, true)) {
            StoredEntry letter = letters(store, true).get(0);
            List<Long> id = List.of(letter.id());
            assertThat(letter.reason()).isEqualTo(DeadLetter.Reason.DAMAGED);
            long lost = store.size().lost();
            assertThat(store.revive(id).join()).isZero();
            assertThat(store.discard(id).join()).isEqualTo(1);
            assertThat(store.size().lost()).isEqualTo(lost - 1);
            store.discard(ids(letters(store, true))).join();
            assertThat(store.size().lost()).isZero();
        }
        try (Stream<Path> kept = Files.list(directory)) {
            assertThat(kept.map(path -> path.getFileName().toString())).anyMatch(name -> name.startsWith("damaged-"));
        }
        open(directory, false).close();
    }

    /** Whoever changed it while a process had the file: nothing makes it look whole. */
    @Test
    void whatIsDamagedInUseStaysDamaged() throws Exception {
        Path directory = place.resolve("in use");
        Path file = directory.resolve(DATABASE);
        try (SqliteBacklogStore store = open(directory, false)) {
            put(store, "entry 1").join();
            put(store, "entry 2").join();
            StoredEntry whole = all(store).get(0);
            for (int i = 0; i < 3_000; i++) { // SQLite does not hold the first ones in memory any more
                var unused = store.put(Instant.EPOCH, new byte[3_000]);
            }
            assertThat(all(store)).hasSize(3_002);
            assertThat(all(store)).hasSize(3_002);
            String text = new String(Files.readAllBytes(file), ISO_8859_1);
            Files.write(file, text.replace("entry", "Entry").getBytes(ISO_8859_1));
            reject(store, whole).join();
            reject(store, all(store).get(0)).join();
            List<StoredEntry> letters = store.deadLetters(0, 10).join();
            assertThat(letters).hasSize(2).allMatch(letter -> letter.reason() == DeadLetter.Reason.DAMAGED);
            assertThat(letters).allMatch(letter -> letter.body().length == 0);
            assertThat(store.revive(ids(letters)).join()).isZero();
            assertThat(store.size().lost()).isEqualTo(2);
        }
        open(directory, false).close();
    }

    /** A damaged page shows a row twice: it is taken once, and does not stand for one that is gone. */
    @Test
    void countsNoRowTwice() throws IOException {
        byte[] whole = left.get(DATABASE);
        int leaves = 0;
        for (int at = PAGE; at < whole.length; at += PAGE) {
            if (whole[at] == 13) { // a leaf of a table
                leaves++;
                byte[] bytes = whole.clone();
                bytes[at + 3] ^= 2; // 512 rows more than there are
                judge(new HashMap<>(Map.of(DATABASE, bytes)), false);
            }
        }
        assertThat(leaves).isPositive();
    }
}
