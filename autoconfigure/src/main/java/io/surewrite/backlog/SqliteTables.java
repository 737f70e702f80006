package io.surewrite.backlog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tables of the backlog's file, and all that is ever said to them. One thread at a time. */
final class SqliteTables {

    private static final int VERSION = 1;

    private static final String INSERT = "INSERT INTO entry (id, decided, attempts, body) VALUES (?, ?, ?, ?)";

    private static final String DELETE = "DELETE FROM entry WHERE id = ?";

    private static final List<String> DDL = List.of("BEGIN", """
            CREATE TABLE entry (
                id INTEGER PRIMARY KEY, decided INTEGER NOT NULL, attempts INTEGER NOT NULL, body BLOB NOT NULL)
            """, """
            CREATE TABLE dead_letter (
                id INTEGER PRIMARY KEY, decided INTEGER NOT NULL, attempts INTEGER NOT NULL, body BLOB NOT NULL,
                died INTEGER NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL)
            """, "PRAGMA user_version = " + VERSION, "COMMIT");

    private final Connection connection;
    private PreparedStatement insert;
    private PreparedStatement delete;

    private SqliteTables(Connection connection) throws SQLException {
        this.connection = connection;
        this.insert = connection.prepareStatement(INSERT);
        this.delete = connection.prepareStatement(DELETE);
    }

    /** Goes on after a failure: the driver closes the statement that met it. */
    void recover() throws SQLException {
        insert.close();
        delete.close();
        insert = connection.prepareStatement(INSERT);
        delete = connection.prepareStatement(DELETE);
    }

    /** Creates the tables if the file is new. */
    static SqliteTables open(Connection connection) throws SQLException {
        transactionsAreOurs(connection);
        int version = Math.toIntExact(number(connection, "PRAGMA user_version"));
        if (version > VERSION) {
            throw new BacklogException(
                    "The backlog's file was written by a newer version of Surewrite. Instead, let that version drain it",
                    null);
        }
        if (version == 0) {
            try (Statement statement = connection.createStatement()) {
                for (String ddl : DDL) {
                    statement.execute(ddl);
                }
            }
        }
        return new SqliteTables(connection);
    }

    /** Else the driver tries to begin a transaction before each statement, also within one that was begun by hand. */
    private static void transactionsAreOurs(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("COMMIT");
        }
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    BacklogSize size() throws SQLException {
        return new BacklogSize(
                        number(connection, "SELECT count(*) FROM entry"),
                        number(connection, "SELECT count(*) FROM dead_letter"),
                        number(
                                connection,
                                "SELECT (SELECT coalesce(sum(length(body)), 0) FROM entry)"
                                        + " + (SELECT coalesce(sum(length(body)), 0) FROM dead_letter)"),
                        null)
                .since(oldest());
    }

    long lastId() throws SQLException {
        return number(
                connection,
                "SELECT max((SELECT coalesce(max(id), 0) FROM entry), (SELECT coalesce(max(id), 0) FROM dead_letter))");
    }

    @Nullable
    Instant oldest() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT decided FROM entry ORDER BY id LIMIT 1")) {
            return rows.next() ? instant(rows.getLong(1)) : null;
        }
    }

    void insert(StoredEntry entry) throws SQLException {
        insert.setLong(1, entry.id());
        insert.setLong(2, entry.decided().toEpochMilli());
        insert.setInt(3, entry.attempts());
        insert.setBytes(4, entry.body());
        insert.executeUpdate();
    }

    /** Tells whether it was there. */
    boolean delete(StoredEntry entry) throws SQLException {
        delete.setLong(1, entry.id());
        return delete.executeUpdate() == 1;
    }

    void countAttempt(StoredEntry entry) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE entry SET attempts = attempts + 1 WHERE id = ?")) {
            statement.setLong(1, entry.id());
            statement.executeUpdate();
        }
    }

    List<StoredEntry> entries(long after, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT id, decided, attempts, body FROM entry WHERE id > ? ORDER BY id LIMIT ?")) {
            statement.setLong(1, after);
            statement.setInt(2, limit);
            List<StoredEntry> entries = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    entries.add(entry(rows));
                }
            }
            return entries;
        }
    }

    void insertDead(StoredDeadLetter letter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                INSERT INTO dead_letter (id, decided, attempts, body, died, reason, detail)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)) {
            statement.setLong(1, letter.entry().id());
            statement.setLong(2, letter.entry().decided().toEpochMilli());
            statement.setInt(3, letter.entry().attempts());
            statement.setBytes(4, letter.entry().body());
            statement.setLong(5, letter.died().toEpochMilli());
            statement.setString(6, letter.reason().name());
            statement.setString(7, letter.detail());
            statement.executeUpdate();
        }
    }

    List<StoredDeadLetter> deadLetters(long after, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT id, decided, attempts, body, died, reason, detail
                FROM dead_letter WHERE id > ? ORDER BY id LIMIT ?
                """)) {
            statement.setLong(1, after);
            statement.setInt(2, limit);
            List<StoredDeadLetter> letters = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    letters.add(new StoredDeadLetter(
                            entry(rows),
                            instant(rows.getLong(5)),
                            DeadLetter.Reason.valueOf(rows.getString(6)),
                            rows.getString(7)));
                }
            }
            return letters;
        }
    }

    /** Takes a dead letter away. */
    @Nullable
    StoredEntry takeDead(long id) throws SQLException {
        List<StoredDeadLetter> found = deadLetters(id - 1, 1);
        if (found.isEmpty() || found.get(0).entry().id() != id) {
            return null;
        }
        try (PreparedStatement statement = connection.prepareStatement("DELETE FROM dead_letter WHERE id = ?")) {
            statement.setLong(1, id);
            statement.executeUpdate();
        }
        return found.get(0).entry();
    }

    private static StoredEntry entry(ResultSet rows) throws SQLException {
        return new StoredEntry(rows.getLong(1), instant(rows.getLong(2)), rows.getInt(3), rows.getBytes(4));
    }

    private static Instant instant(long millis) {
        return Instant.ofEpochMilli(millis);
    }
}
