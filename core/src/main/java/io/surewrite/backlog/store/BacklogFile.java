package io.surewrite.backlog.store;

import io.surewrite.backlog.BacklogDamagedException;
import io.surewrite.backlog.BacklogException;
import io.surewrite.backlog.BacklogLockedException;
import io.surewrite.backlog.BacklogSize;
import io.surewrite.backlog.DeadLetter;
import io.surewrite.backlog.replay.EntryCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.Function;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Opens the database, and finds out whether all is in it that was confirmed. Ids count every entry that was ever put, and the
 * database counts what was taken out and the sum of its ids; so it tells how many there are, and which ids they add up
 * to. It cannot tell that its end is missing: that is what the mark is for.
 *
 * <p>What is not as it should be is refused, and the files stay as they are. If the loss is accepted, a new database is
 * made of all entries that are whole.
 */
final class BacklogFile {

    static final String FILE = "backlog.db";

    private static final Logger log = LoggerFactory.getLogger(BacklogFile.class);

    private static final int VERSION = 2;

    /** Had no checksums, counters and mark. */
    private static final int UNMARKED = 1;

    private static final List<String> DDL = List.of("""
            CREATE TABLE entry (
                id INTEGER PRIMARY KEY, decided INTEGER NOT NULL, attempts INTEGER NOT NULL, body BLOB NOT NULL)
            """, """
            CREATE TABLE dead_letter (
                id INTEGER PRIMARY KEY, decided INTEGER NOT NULL, attempts INTEGER NOT NULL, body BLOB NOT NULL,
                died INTEGER NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL, lost INTEGER NOT NULL DEFAULT 0)
            """);

    private static final String COUNTER = """
            CREATE TABLE counter (
                one INTEGER PRIMARY KEY, last INTEGER NOT NULL, removed INTEGER NOT NULL, removed_ids INTEGER NOT NULL)
            """;

    private final Path directory;
    private final Path file;
    private final Path wal;
    private final SQLiteConfig config;

    /** Where the database is while it is closed without a change. */
    private final Path aside;

    /** Whole and on the disk, and only to be moved into its place. */
    private final Path recovered;

    private BacklogFile(Path directory, SQLiteConfig config) {
        this.directory = directory;
        this.file = directory.resolve(FILE);
        this.wal = directory.resolve(FILE + "-wal");
        this.aside = directory.resolve(FILE + ".aside");
        this.recovered = directory.resolve(FILE + ".recovered");
        this.config = config;
    }

    /**
     * What a database has.
     *
     * @param last the highest id ever given
     * @param removed how many entries were taken out
     * @param removedIds the sum of their ids, modulo 2 to the 64th
     * @param size how much there is
     */
    record Contents(long last, long removed, long removedIds, BacklogSize size) {

        Mark.State marked() {
            return new Mark.State(last, size.entries() + size.deadLetters());
        }
    }

    /**
     * What was found.
     *
     * @param opened the database, if nothing is wrong with it
     * @param mark what the mark says, or null if there is none that can be believed
     * @param damage what is wrong
     * @param missing how many entries at most are not there
     * @param readable whether there is a database
     * @param counted whether it is known how many are missing
     */
    private record Found(
            @Nullable Opened opened,
            Mark.@Nullable State mark,
            List<String> damage,
            long missing,
            boolean readable,
            boolean counted) {

        /** Where it cannot be seen what is there, all may be missing that was there at last. */
        static Found uncounted(Mark.@Nullable State mark, List<String> damage, boolean readable) {
            return new Found(null, mark, damage, mark == null ? 0 : mark.count(), readable, false);
        }
    }

    /** A database that is open, and what is in it. */
    record Opened(Connection connection, Contents contents) {}

    /**
     * Opens the database, and creates it where there is none.
     *
     * @throws BacklogDamagedException if something is damaged or missing, and that is not accepted
     */
    static Opened open(Path directory, boolean acceptLoss, SQLiteConfig config) throws SQLException, IOException {
        config.setLockingMode(SQLiteConfig.LockingMode.EXCLUSIVE);
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        // It flushes what its own consistency needs. The log's new end is flushed by us.
        config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
        BacklogFile database = new BacklogFile(directory, config);
        database.bringBack();
        database.putRecoveredInPlace();
        Found found = database.look();
        if (!found.damage.isEmpty() && acceptLoss) {
            database.recover(found);
            found = database.look();
        }
        if (found.opened == null) {
            throw new BacklogDamagedException(
                    "The backlog in %s is damaged: %s. At most %s of the writes that were kept are missing. Nothing was replayed, and the files are as they were. Instead, bring the files back as they should be; or go on with what is there: surewrite.backlog.recover=accept-loss makes dead letters of what is damaged or missing, and keeps a copy of the files"
                            .formatted(
                                    directory,
                                    String.join("; ", found.damage),
                                    found.mark == null ? "an unknown number" : found.missing));
        }
        return found.opened;
    }

    private Found look() throws SQLException, IOException {
        boolean marked = Mark.exists(directory);
        Mark.State mark = marked ? Mark.read(directory) : null;
        List<String> damage = new ArrayList<>();
        if (marked && mark == null) {
            damage.add(Mark.FILE + " cannot be read, so it is not known whether the newest writes are there");
        }
        if (isEmpty(file)) {
            if (mark == null ? marked || !isEmpty(wal) : mark.count() > 0) {
                damage.add(FILE + " is missing or empty");
                return Found.uncounted(mark, damage, false);
            }
            if (!marked) {
                mark = new Mark.State(0, 0);
                Mark.create(directory, mark);
            }
        }
        DirectoryLock.makePrivate(file);
        Connection connection = null;
        try {
            connection = connect();
            prepare(connection);
            // Else the driver tries to begin a transaction before each statement, also within one that was begun by
            // hand.
            connection.setAutoCommit(false);
            execute(connection, "COMMIT");
            if (damage.isEmpty()) {
                mark = bringUpToDate(connection, mark, damage);
            }
            Found found = examine(connection, mark, damage);
            if (found.opened != null) {
                connection = null; // stays open
            }
            return found;
        } catch (SQLException failure) {
            if (connection != null && code(failure) == SQLiteErrorCode.SQLITE_BUSY) {
                connection.close(); // the file is another process's, and SQLite has read nothing of it
                connection = null;
            }
            requireDamage(failure);
            damage.add("%s cannot be read, %s".formatted(FILE, failure.getMessage()));
            return Found.uncounted(mark, damage, true);
        } finally {
            if (connection != null) {
                closeUnchanged(connection);
            }
        }
    }

    /** Does not look at the file yet: where that fails, the database is to be closed without a change. */
    private Connection connect() throws SQLException {
        SQLiteConfig bare = new SQLiteConfig();
        // Else the driver asks for one after each insert.
        bare.setGetGeneratedKeys(false);
        bare.setBusyTimeout(0);
        return bare.createConnection("jdbc:sqlite:" + file);
    }

    /** The lock first: else SQLite makes a file of shared memory, for which a full disk has no room. */
    private void prepare(Connection connection) throws SQLException {
        execute(connection, "PRAGMA locking_mode = EXCLUSIVE");
        config.apply(connection);
    }

    private static boolean isEmpty(Path path) throws IOException {
        return !Files.exists(path) || Files.size(path) == 0;
    }

    /**
     * Closes the database and changes no file. SQLite would bring into the database what it could read of the log, and delete
     * the log; it does not if the file is not where it was opened.
     */
    private void closeUnchanged(Connection connection) throws SQLException, IOException {
        Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
        try {
            connection.close();
        } finally {
            bringBack();
        }
    }

    private void bringBack() throws IOException {
        if (Files.exists(aside)) {
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Makes the tables, or those of an earlier version to today's. Returns the mark that there is then. */
    private Mark.@Nullable State bringUpToDate(Connection connection, Mark.@Nullable State mark, List<String> damage)
            throws SQLException, IOException {
        long version = number(connection, "PRAGMA user_version");
        if (version == VERSION) {
            if (mark == null) {
                damage.add(Mark.FILE + " is missing, so it is not known whether the newest writes are there");
            }
            return mark;
        }
        if (version == 0 && (mark == null || mark.count() == 0)) {
            Mark.State begun = mark == null ? new Mark.State(0, 0) : mark;
            if (mark == null) {
                Mark.create(directory, begun);
            }
            inTransaction(connection, () -> createTables(connection, begun.last(), begun.last(), sum(begun.last())));
            return begun;
        }
        if (version == UNMARKED) {
            Contents old = scan(connection, new ArrayList<>(), false);
            Mark.State begun = mark == null ? old.marked() : mark;
            if (mark == null) {
                Mark.create(directory, begun);
            }
            inTransaction(connection, () -> seal(connection, old));
            return begun;
        }
        if (mark == null) {
            throw new BacklogException(
                    "The backlog's file was written by a newer version of Surewrite. Instead, let that version drain it",
                    null);
        }
        damage.add("the database's header says version " + version);
        return mark;
    }

    private static void createTables(Connection connection, long last, long removed, long removedIds)
            throws SQLException {
        for (String ddl : DDL) {
            execute(connection, ddl);
        }
        createCounter(connection, last, removed, removedIds);
    }

    private static void createCounter(Connection connection, long last, long removed, long removedIds)
            throws SQLException {
        execute(connection, COUNTER);
        execute(connection, "INSERT INTO counter VALUES (1, %d, %d, %d)".formatted(last, removed, removedIds));
        execute(connection, "PRAGMA user_version = " + VERSION);
    }

    /** Gives the entries of an earlier version their checksums. */
    private static void seal(Connection connection, Contents old) throws SQLException {
        Function.create(connection, "sealed", new Function() {
            @Override
            protected void xFunc() throws SQLException {
                result(EntryCodec.sealed(value_blob(0)));
            }
        });
        execute(connection, "UPDATE entry SET body = sealed(body)");
        execute(connection, "UPDATE dead_letter SET body = sealed(body)");
        execute(connection, "ALTER TABLE dead_letter ADD COLUMN lost INTEGER NOT NULL DEFAULT 0");
        createCounter(connection, old.last, old.removed, old.removedIds);
    }

    /** Compares what is there with what the database and the mark count. */
    private Found examine(Connection connection, Mark.@Nullable State mark, List<String> damage) throws SQLException {
        String structure = text(connection, "PRAGMA quick_check(1)");
        if (!structure.equals("ok")) {
            damage.add("the database's structure (%s)".formatted(structure.replace('\n', ' ')));
        }
        List<Long> broken = new ArrayList<>();
        Contents there = scan(connection, broken, true);
        if (!broken.isEmpty()) {
            damage.add("%d entries, the first %d, are not what was kept".formatted(broken.size(), broken.get(0)));
        }
        long last = Math.max(there.last, number(connection, "SELECT last FROM counter"));
        long removed = number(connection, "SELECT removed FROM counter");
        long removedIds = number(connection, "SELECT removed_ids FROM counter");
        BacklogSize size = there.size;
        long count = size.entries() + size.deadLetters();
        long missing = 0;
        // What is there adds up to all that was put, less what was taken out.
        long ids = sum(there.last) - there.removedIds;
        if (last - removed != count || sum(last) - removedIds != ids) {
            missing = Math.min(last, Math.max(1, last - removed - count));
            damage.add(
                    "of the entries up to %d, %d should be there, and %d are".formatted(last, last - removed, count));
        }
        if (mark != null && mark.last() > last) {
            long tail = Math.min(mark.last() - last, mark.count());
            if (tail > 0) {
                damage.add("entries up to %d were confirmed, and the newest is %d".formatted(mark.last(), last));
            } else if (damage.isEmpty()) { // nothing waited when the end was lost: only the ids go on from there
                last = mark.last();
                removed = last - count;
                removedIds = sum(last) - ids;
                execute(
                        connection,
                        "UPDATE counter SET last = %d, removed = %d, removed_ids = %d"
                                .formatted(last, removed, removedIds));
            }
            missing += tail;
        }
        Opened opened = damage.isEmpty() ? new Opened(connection, new Contents(last, removed, removedIds, size)) : null;
        return new Found(opened, mark, damage, missing, true, mark != null);
    }

    /** All that is in the tables; what the counters would be if nothing else had ever been there. */
    private static Contents scan(Connection connection, List<Long> broken, boolean sealed) throws SQLException {
        long last = 0;
        long ids = 0;
        long bytes = 0;
        long lost = 0;
        long[] counts = new long[2];
        Instant oldest = null;
        List<String> tables = List.of("entry", "dead_letter");
        for (int i = 0; i < 2; i++) {
            String columns = i == 1 && sealed ? "id, decided, body, lost" : "id, decided, body, 0";
            try (Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery("SELECT %s FROM %s ORDER BY id".formatted(columns, tables.get(i)))) {
                long previous = Long.MIN_VALUE;
                while (rows.next()) {
                    long id = rows.getLong(1);
                    if (id <= previous) { // a page shows it twice, or shows what is none: it must not count for another
                        broken.add(id);
                        continue;
                    }
                    previous = id;
                    byte[] body = rows.getBytes(3);
                    if (sealed && rows.getLong(4) == 0 && (body == null || !EntryCodec.isWhole(body))) {
                        broken.add(id);
                    }
                    if (i == 0 && counts[0] == 0) {
                        oldest = Instant.ofEpochMilli(rows.getLong(2));
                    }
                    counts[i]++;
                    last = Math.max(last, id);
                    ids += id;
                    bytes += body == null ? 0 : body.length;
                    lost += rows.getLong(4);
                }
            }
        }
        BacklogSize size = new BacklogSize(counts[0], counts[1], bytes, oldest, lost);
        return new Contents(last, last - counts[0] - counts[1], sum(last) - ids, size);
    }

    /** The sum of all ids up to one, modulo 2 to the 64th. */
    private static long sum(long last) {
        return last % 2 == 0 ? last / 2 * (last + 1) : (last + 1) / 2 * last;
    }

    /** Makes a new database of all that can be read. A crash leaves either the old one or the whole new one. */
    private void recover(Found found) throws SQLException, IOException {
        Path evidence = directory.resolve("damaged-" + System.currentTimeMillis());
        DirectoryLock.makeDirectory(evidence);
        for (Path damaged : List.of(file, wal, directory.resolve(Mark.FILE))) {
            if (Files.exists(damaged)) {
                Files.copy(damaged, evidence.resolve(damaged.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        Path making = directory.resolve(FILE + ".making");
        Files.deleteIfExists(making);
        DirectoryLock.makePrivate(making);
        SQLiteConfig whole = new SQLiteConfig();
        whole.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        long first = found.mark == null ? 0 : found.mark.last(); // ids begin anew, above all that was confirmed
        Rescue rescue;
        try (Connection to = whole.createConnection("jdbc:sqlite:" + making)) {
            to.setAutoCommit(false);
            execute(to, "COMMIT");
            execute(to, "BEGIN");
            createTables(to, first, first, sum(first));
            rescue = new Rescue(to, first);
            rescue.fill(found);
            execute(to, "COMMIT");
        }
        Files.move(making, recovered, StandardCopyOption.ATOMIC_MOVE);
        putRecoveredInPlace();
        Mark.create(directory, new Mark.State(rescue.last, rescue.last - first));
        log.error(
                "The backlog in {} was damaged: {}. It goes on with what is there; at most {} writes are missing and {} damaged, see its dead letters. The files as they were are in {}",
                directory,
                String.join("; ", found.damage),
                rescue.missing,
                rescue.damaged,
                evidence);
    }

    private void putRecoveredInPlace() throws IOException {
        if (Files.exists(recovered)) {
            Files.deleteIfExists(wal);
            Files.move(recovered, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            DirectoryLock.force(directory);
        }
    }

    /** Takes what can be read out of the damaged database, in its order, into a new one. */
    private final class Rescue {

        private final PreparedStatement entry;
        private final PreparedStatement letter;
        private final Set<Long> taken = new HashSet<>();
        private long last;
        private long damaged;
        private long missing;

        private Rescue(Connection to, long first) throws SQLException {
            this.last = first;
            this.entry = to.prepareStatement("INSERT INTO entry (id, decided, attempts, body) VALUES (?, ?, ?, ?)");
            this.letter = to.prepareStatement("""
                    INSERT INTO dead_letter (id, decided, attempts, body, died, reason, detail, lost)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """);
        }

        @SuppressWarnings("ArrayRecordComponent") // never compared
        private record Row(
                long id,
                long decided,
                int attempts,
                byte @Nullable [] body,
                long died,
                @Nullable String reason,
                @Nullable String detail,
                long lost) {}

        private void fill(Found found) throws SQLException {
            long first = last;
            if (found.readable) {
                try (Connection from = connect()) {
                    prepare(from);
                    boolean sealed = number(from, "PRAGMA user_version") != UNMARKED;
                    take(from, "entry", "0, NULL, NULL, 0", sealed);
                    take(
                            from,
                            "dead_letter",
                            sealed ? "died, reason, detail, lost" : "died, reason, detail, 0",
                            sealed);
                } catch (SQLException failure) {
                    requireDamage(failure); // no more of it can be read
                }
            }
            missing = found.counted
                    ? found.missing
                    : Math.max(1, (found.mark == null ? 0 : found.mark.count()) - (last - first));
            if (missing > 0) {
                String detail =
                        "%s. At most %s writes are missing. Instead, see what the application can do about them, and discard this letter"
                                .formatted(
                                        String.join("; ", found.damage),
                                        found.mark == null ? "an unknown number of" : missing);
                long now = System.currentTimeMillis();
                bury(
                        new Row(0, now, 0, null, now, null, null, missing),
                        EntryCodec.sealed(new byte[0]),
                        DeadLetter.Reason.LOST,
                        detail);
            }
        }

        /** Reads from the beginning to what is damaged, and from the end back to it. */
        private void take(Connection from, String table, String columns, boolean sealed) throws SQLException {
            long[] reached = {Long.MIN_VALUE};
            String query = "SELECT id, decided, attempts, body, %s FROM %s".formatted(columns, table);
            try (Statement statement = from.createStatement();
                    ResultSet rows = statement.executeQuery(query + " ORDER BY id")) {
                while (rows.next()) {
                    Row row = row(rows);
                    reached[0] = rows.getLong(1);
                    put(row, table, sealed);
                }
                return;
            } catch (SQLException failure) {
                requireDamage(failure);
            }
            List<Row> rest = new ArrayList<>();
            try (Statement statement = from.createStatement();
                    ResultSet rows =
                            statement.executeQuery(query + " WHERE id > %d ORDER BY id DESC".formatted(reached[0]))) {
                while (rows.next()) {
                    rest.add(row(rows));
                }
            } catch (SQLException failure) {
                requireDamage(failure);
            }
            Collections.reverse(rest);
            for (Row row : rest) {
                put(row, table, sealed);
            }
        }

        private static Row row(ResultSet rows) throws SQLException {
            return new Row(
                    rows.getLong(1),
                    rows.getLong(2),
                    rows.getInt(3),
                    rows.getBytes(4),
                    rows.getLong(5),
                    rows.getString(6),
                    rows.getString(7),
                    rows.getLong(8));
        }

        private void put(Row row, String table, boolean sealed) throws SQLException {
            byte[] body = row.body == null ? new byte[0] : sealed ? row.body : EntryCodec.sealed(row.body);
            if (!EntryCodec.isWhole(body)) {
                damaged++;
                bury(
                        new Row(row.id, row.decided, row.attempts, null, System.currentTimeMillis(), null, null, 1),
                        body,
                        DeadLetter.Reason.DAMAGED,
                        "its checksum does not fit: it is not what was kept. Instead, see what the application can do about it, and discard this letter");
            } else if (!taken.add(row.id)) {
                return; // a damaged page shows it twice
            } else if (table.equals("entry")) {
                insert(entry, ++last, row.decided, row.attempts, body);
            } else {
                bury(row, body, reason(row.reason), row.detail == null ? "" : row.detail);
            }
        }

        private static DeadLetter.Reason reason(@Nullable String name) {
            return Arrays.stream(DeadLetter.Reason.values())
                    .filter(reason -> reason.name().equals(name))
                    .findFirst()
                    .orElse(DeadLetter.Reason.UNUSABLE); // it can be replayed
        }

        private void bury(Row row, byte[] body, DeadLetter.Reason reason, String detail) throws SQLException {
            insert(letter, ++last, row.decided, row.attempts, body, row.died, reason.name(), detail, row.lost);
        }

        private static void insert(PreparedStatement into, Object... values) throws SQLException {
            for (int i = 0; i < values.length; i++) {
                into.setObject(i + 1, values[i]);
            }
            into.executeUpdate();
        }
    }

    /** A part of a transaction. */
    private interface Work {

        void run() throws SQLException;
    }

    private static void inTransaction(Connection connection, Work work) throws SQLException {
        execute(connection, "BEGIN");
        work.run();
        execute(connection, "COMMIT");
    }

    private static void execute(Connection connection, String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            if (!rows.next()) {
                throw new SQLiteException("a row is missing: " + query, SQLiteErrorCode.SQLITE_CORRUPT);
            }
            return rows.getLong(1);
        }
    }

    private static String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "";
        }
    }

    private static void requireDamage(SQLException failure) throws SQLException {
        if (!isDamage(failure)) {
            throw failure;
        }
    }

    /** Whether the database is not what was written; not what hinders this process to use it. */
    static boolean isDamage(Throwable failure) {
        return failure instanceof SQLiteException
                && switch (code(failure)) {
                    case SQLITE_FULL,
                            SQLITE_CANTOPEN,
                            SQLITE_PERM,
                            SQLITE_IOERR,
                            SQLITE_BUSY,
                            SQLITE_LOCKED,
                            SQLITE_NOMEM,
                            SQLITE_READONLY -> false;
                    default -> true;
                };
    }

    /** Whether the disk had no room. */
    static boolean isForWantOfRoom(Throwable failure) {
        return code(failure) == SQLiteErrorCode.SQLITE_FULL;
    }

    private static SQLiteErrorCode code(Throwable failure) {
        return failure instanceof SQLiteException sqlite
                ? SQLiteErrorCode.getErrorCode(sqlite.getErrorCode() & 0xff)
                : SQLiteErrorCode.UNKNOWN_ERROR;
    }

    /** What a failure means, and what to do about it. */
    static BacklogException translate(Path directory, Throwable failure) {
        if (failure instanceof BacklogException translated) {
            return translated;
        }
        Throwable unloaded = NativeLibraries.whyNotLoaded(failure);
        if (unloaded != null) {
            return new BacklogException(
                    "The backlog cannot use %s: SQLite's native library cannot be unpacked in %s and loaded from there, as where a file system is read-only or mounted with noexec: %s. Instead, set the system property org.sqlite.tmpdir to a directory in which this process may write and execute files, as -Dorg.sqlite.tmpdir=/var/lib/app"
                            .formatted(directory.resolve(FILE), NativeLibraries.directory(), unloaded.getMessage()),
                    failure);
        }
        SQLiteErrorCode code = code(failure);
        if (code == SQLiteErrorCode.SQLITE_BUSY) {
            return new BacklogLockedException(directory, "another process, which has its database open");
        }
        String fix = switch (code) {
            case SQLITE_FULL -> "The disk is full. Instead, make room on it";
            case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM ->
                "The file cannot be written. Instead, let this process write the directory, or set surewrite.backlog.directory to another";
            case SQLITE_CORRUPT, SQLITE_NOTADB ->
                "The file is damaged. Nothing more is kept until a restart, which says what is missing. Instead, restart, and see what the system's log says of the disk";
            case SQLITE_IOERR -> "The disk does not answer as it should. Instead, see what the system's log says of it";
            default -> "Instead, see the cause";
        };
        Throwable cause = failure.getCause();
        String detail = cause == null ? "" : " (%s)".formatted(cause);
        return new BacklogException(
                "The backlog cannot use %s: %s%s. %s"
                        .formatted(directory.resolve(FILE), failure.getMessage(), detail, fix),
                failure);
    }
}
