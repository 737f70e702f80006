package io.surewrite.backlog;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Opens the database, and finds out whether all is in it that was confirmed: SQLite checks its structure, each row has a
 * checksum, and one row, written with each transaction, counts all others. A file beside it says that there was a database.
 * What is not as it should be is refused. If the loss is accepted, a new database is made of all that can be read.
 */
record BacklogFile(Path directory, SQLiteConfig config) {

    private static final Logger log = LoggerFactory.getLogger(BacklogFile.class);

    private static final String FILE = "backlog.db";

    private static final String VERSION = "2";

    private static final Set<SQLiteErrorCode> HINDRANCES = EnumSet.of(
            SQLiteErrorCode.SQLITE_FULL,
            SQLiteErrorCode.SQLITE_CANTOPEN,
            SQLiteErrorCode.SQLITE_IOERR,
            SQLiteErrorCode.SQLITE_BUSY,
            SQLiteErrorCode.SQLITE_NOMEM,
            SQLiteErrorCode.SQLITE_READONLY);

    private static final String COUNTER = """
            CREATE TABLE counter (
                put INTEGER NOT NULL, entries INTEGER NOT NULL, dead INTEGER NOT NULL, ids INTEGER NOT NULL,
                bytes INTEGER NOT NULL, lost INTEGER NOT NULL)
            """;
    private static final String NOTHING = "INSERT INTO counter VALUES (0, 0, 0, 0, 0, 0)";

    /** Entries are in one table, whether they wait or are dead: none is ever on its way from one place to another. */
    private static final List<String> TABLES =
            List.of("BEGIN", StoredEntry.DDL, COUNTER, NOTHING, "PRAGMA user_version = " + VERSION, "COMMIT");

    /** Of each connection, and not of the file. */
    private static final List<String> TRIGGERS = List.of("""
            CREATE TEMP TRIGGER put AFTER INSERT ON main.entry BEGIN UPDATE counter SET
                put = max(put, new.id), entries = entries + (new.reason IS NULL), dead = dead + (new.reason IS NOT NULL),
                ids = ids + new.id, bytes = bytes + length(new.body), lost = lost + new.lost;
            END
            """, """
            CREATE TEMP TRIGGER taken AFTER DELETE ON main.entry BEGIN UPDATE counter SET
                entries = entries - (old.reason IS NULL), dead = dead - (old.reason IS NOT NULL),
                ids = ids - old.id, bytes = bytes - length(old.body), lost = lost - old.lost;
            END
            """);

    /** The highest id ever given, the sum of those that are there, and so on. */
    record Counter(long put, long ids, long entries, long dead, long bytes, long lost) {

        private static final String COUNTED = "SELECT put, ids, entries, dead, bytes, lost FROM counter";

        private static final String THERE = """
                SELECT max(put, ifnull(max(id), 0)), ifnull(sum(id), 0), count(entry.id) - count(reason), count(reason),
                    ifnull(sum(length(body)), 0), ifnull(sum(entry.lost), 0) FROM counter LEFT JOIN entry
                """;

        static Counter read(Connection connection, boolean counted) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(counted ? COUNTED : THERE)) {
                if (!row.next()) {
                    throw new SQLiteException("there is no counter", SQLiteErrorCode.SQLITE_CORRUPT);
                }
                return new Counter(
                        row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5), row.getLong(6));
            }
        }

        long all() {
            return entries + dead;
        }
    }

    /** The database, if nothing is wrong with it; else what is wrong, and how many entries at least are missing. */
    private record Found(@Nullable Connection opened, String damage, long missing) {}

    /** Has SQLite return from a commit when all is on the disk. */
    static SQLiteConfig lasting() {
        SQLiteConfig config = new SQLiteConfig();
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setLockingMode(SQLiteConfig.LockingMode.EXCLUSIVE);
        config.setJournalMode(SQLiteConfig.JournalMode.PERSIST);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        config.setBusyTimeout(0);
        config.setGetGeneratedKeys(false); // else the driver asks for one after each insert
        return config;
    }

    Connection open(boolean acceptLoss) throws SQLException, IOException {
        makePrivate();
        Found found = find();
        if (found.opened != null) {
            return found.opened;
        }
        if (acceptLoss) {
            recover(found);
            return open(false);
        }
        throw new BacklogException(
                BacklogException.Reason.DAMAGED,
                "The backlog in %s is damaged: %s. At least %d of the writes that were kept are missing. Nothing was replayed. Fix: bring the files back as they should be; or move the directory away, and begin anew without what was kept; or go on with what is there: surewrite.backlog.recover=accept-loss makes dead letters of what is damaged or missing, and keeps a copy of the file"
                        .formatted(directory, found.damage, found.missing));
    }

    /** On POSIX systems only the user of this process may enter the directory. */
    private void makePrivate() throws IOException {
        Files.createDirectories(directory);
        if (isPosix()) {
            Set<PosixFilePermission> now = Files.getPosixFilePermissions(directory);
            if (!now.contains(PosixFilePermission.OWNER_WRITE)) {
                throw new FileSystemException(directory.toString(), null, "it is read-only"); // root could write it
            }
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** Makes a file that only its owner may read; SQLite gives its journal the same permissions. */
    private void make(Path path) throws IOException {
        if (!Files.exists(path)) {
            FileAttribute<?>[] own = {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            };
            Files.createFile(path, isPosix() ? own : new FileAttribute<?>[0]);
        }
    }

    private boolean isPosix() throws IOException {
        return Files.getFileStore(directory).supportsFileAttributeView("posix");
    }

    private Path file() {
        return directory.resolve(FILE);
    }

    /** That it is there says that a database was. */
    private Path marker() {
        return directory.resolve("backlog.here");
    }

    private Found find() throws SQLException, IOException {
        if (isMissing() && Files.exists(marker())) {
            return new Found(null, FILE + " is missing or empty", 1);
        }
        make(file());
        Connection connection = null;
        try {
            connection = connect();
            Found found = examine(connection);
            if (found.damage.isEmpty()) {
                make(marker());
                connection = null; // stays open
            }
            return found;
        } catch (SQLException failure) {
            if (!isDamage(failure)) {
                throw failure;
            }
            return new Found(null, "%s cannot be read, %s".formatted(FILE, failure.getMessage()), 1);
        } finally {
            if (connection != null) {
                connection.close();
            }
        }
    }

    private boolean isMissing() throws IOException {
        return !Files.exists(file()) || Files.size(file()) <= 1; // SQLite takes one byte for none
    }

    private Connection connect() throws SQLException {
        return config.createConnection("jdbc:sqlite:" + file());
    }

    private Found examine(Connection connection) throws SQLException {
        // Else the driver tries to begin a transaction before each statement, also within one that was begun by hand.
        connection.setAutoCommit(false);
        // Takes back what a crash has left in the journal. Nobody else has the database from here on.
        execute(connection, List.of("COMMIT", "BEGIN EXCLUSIVE", "COMMIT"));
        if (text(connection, "PRAGMA user_version").equals("0") && !Files.exists(marker())) {
            execute(connection, TABLES);
        }
        String version = text(connection, "PRAGMA user_version");
        if (!version.equals(VERSION)) {
            return new Found(null, "its version is %s, and that of this Surewrite %s".formatted(version, VERSION), 1);
        }
        List<String> damage = new ArrayList<>();
        String structure = text(connection, "PRAGMA quick_check(1)");
        if (!structure.equals("ok")) {
            damage.add("the database's structure (%s)".formatted(structure.replace('\n', ' ')));
        }
        Map<Long, StoredEntry> damaged = new HashMap<>();
        take(connection, "ASC", null, damaged);
        if (!damaged.isEmpty()) {
            damage.add("%d entries, as %d, are not what was kept"
                    .formatted(damaged.size(), damaged.keySet().iterator().next()));
        }
        Counter counted = Counter.read(connection, true);
        Counter there = Counter.read(connection, false);
        if (!there.equals(counted)) {
            damage.add("of the entries up to %d, %d should be there, and %d are"
                    .formatted(counted.put, counted.all(), there.all()));
        }
        if (damage.isEmpty()) {
            execute(connection, TRIGGERS);
            return new Found(connection, "", 0);
        }
        long missing = there.equals(counted) ? 0 : Math.max(1, counted.all() - there.all());
        return new Found(null, String.join("; ", damage), missing);
    }

    /** Makes a new database of all that can be read. A crash leaves either the old one or the whole new one. */
    private void recover(Found found) throws SQLException, IOException {
        Path making = directory.resolve(FILE + ".making");
        Files.deleteIfExists(making);
        make(making);
        try (Connection to = lasting().createConnection("jdbc:sqlite:" + making)) {
            execute(to, TABLES);
            execute(to, TRIGGERS);
            to.setAutoCommit(false);
            rescue(found, to);
            to.commit();
        }
        Path copy = directory.resolve("damaged-%d.db".formatted(System.currentTimeMillis()));
        if (Files.exists(file())) {
            Files.copy(file(), copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.deleteIfExists(directory.resolve(FILE + "-journal")); // it is not about the new database
        Files.move(making, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        log.error(
                "The backlog in {} was damaged: {}. It goes on with what is there, see its dead letters. The database as it was is {}",
                directory,
                found.damage,
                copy);
    }

    /** Takes out what can be read, and makes dead letters of what is damaged and of all that is missing. */
    private void rescue(Found found, Connection to) throws SQLException, IOException {
        Map<Long, StoredEntry> damaged = new HashMap<>();
        try (PreparedStatement insert = to.prepareStatement(StoredEntry.INSERT + " ON CONFLICT DO NOTHING")) {
            if (!isMissing()) {
                // From the beginning to what cannot be read, and from the end back to it.
                for (String direction : List.of("ASC", "DESC")) {
                    try (Connection from = connect()) {
                        take(from, direction, insert, damaged);
                    } catch (SQLException failure) {
                        if (!isDamage(failure)) {
                            throw failure;
                        }
                    }
                }
            }
            long last = Counter.read(to, true).put;
            for (StoredEntry row : damaged.values()) {
                StoredEntry.damaged(++last, row).write(insert);
            }
            if (found.missing > 0) {
                String detail =
                        "%s. At least %d of the writes that were kept are missing. Fix: see what the application can do about them, and discard this letter"
                                .formatted(found.damage, found.missing);
                StoredEntry.lost(last + 1, found.missing, detail).write(insert);
            }
        }
    }

    private static void take(
            Connection from, String direction, @Nullable PreparedStatement insert, Map<Long, StoredEntry> damaged)
            throws SQLException {
        try (Statement statement = from.createStatement();
                ResultSet rows = statement.executeQuery(StoredEntry.SELECT + "true ORDER BY id " + direction)) {
            while (rows.next()) {
                StoredEntry row = StoredEntry.read(rows);
                if (!row.isWhole()) {
                    damaged.put(row.id(), row);
                } else if (insert != null) {
                    row.write(insert);
                }
            }
        }
    }

    private static void execute(Connection connection, List<String> commands) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String command : commands) {
                statement.execute(command);
            }
        }
    }

    private static String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "";
        }
    }

    /** Whether the database is not what was written; not what hinders this process to use it. */
    static boolean isDamage(Throwable failure) {
        return failure instanceof SQLiteException && !HINDRANCES.contains(code(failure));
    }

    static SQLiteErrorCode code(Throwable failure) {
        return failure instanceof SQLiteException sqlite
                ? SQLiteErrorCode.getErrorCode(sqlite.getErrorCode() & 0xff)
                : SQLiteErrorCode.UNKNOWN_ERROR;
    }

    static BacklogException translate(Path directory, Throwable failure) {
        if (failure instanceof BacklogException translated) {
            return translated;
        }
        if (code(failure) == SQLiteErrorCode.SQLITE_BUSY) {
            return new BacklogException(
                    BacklogException.Reason.LOCKED,
                    "The backlog in %s is in use by another process, or another context of this one. Fix: give every one a directory of its own: surewrite.backlog.directory"
                            .formatted(directory));
        }
        String fix = switch (code(failure)) {
            case SQLITE_FULL -> "The disk is full. Fix: make room on it";
            case SQLITE_CORRUPT, SQLITE_NOTADB ->
                "The file is damaged. Nothing more is kept until a restart. Fix: restart, which says what is missing, and see what the system's log says of the disk";
            default ->
                "Fix: set surewrite.backlog.directory to one that this process owns and may write, or that it may make, on a local disk; or see what the system's log says of the disk";
        };
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof NativeLibraryNotFoundException || each instanceof LinkageError) {
                fix =
                        "SQLite's native library cannot be unpacked in %s and loaded from there, as where a file system is read-only or mounted with noexec: %s. Fix: set the system property org.sqlite.tmpdir to a directory in which this process may write and execute files, as -Dorg.sqlite.tmpdir=/var/lib/app"
                                .formatted(
                                        System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir")),
                                        each.getMessage());
            }
        }
        return new BacklogException(
                BacklogException.Reason.UNAVAILABLE,
                "The backlog cannot use %s: %s. %s".formatted(directory, failure, fix),
                failure);
    }
}
