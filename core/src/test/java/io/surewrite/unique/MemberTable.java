package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Rows with a unique email, their writers, and a rival who wants to know whether a value is free. */
final class MemberTable {

    static final String DDL =
            "CREATE TABLE IF NOT EXISTS member (id uuid PRIMARY KEY, email text, phone text, note text)";

    private static final UniqueConstraint EMAIL = UniqueConstraint.on("member_email", "email");

    private final CqlSession session;
    private final UniqueFixture fixture;
    private final CqlRows rows;

    enum Operation {
        INSERT,
        CHANGE,
        DELETE
    }

    enum Finding {
        FREE,
        TAKEN
    }

    MemberTable(CqlSession session, UniqueFixture fixture) {
        this.session = session;
        this.fixture = fixture;
        this.rows = fixture.rows("member", EMAIL);
    }

    /** {@return how many requests an operation sends at least, when nothing goes wrong} */
    int requests(Operation operation) {
        return switch (operation) {
            case INSERT -> 2;
            case CHANGE -> 5;
            case DELETE -> 3;
        };
    }

    void insert(UUID id, String email) {
        fixture.insert(rows, write(id, email));
    }

    /** Changes the value from the old one to the new one, makes a row with the new one, or deletes the one with it. */
    void run(Operation operation, UUID id, String email) {
        switch (operation) {
            case INSERT -> insert(id, email);
            case CHANGE -> fixture.change(rows, write(id, email));
            case DELETE -> fixture.delete(rows, owner(id));
        }
    }

    private EntityWrite write(UUID id, String email) {
        return fixture.write(rows, "member", "id", id, "email", email, "note", "written by " + id);
    }

    String owner(UUID id) {
        return rows.owner(Map.of(CqlIdentifier.fromInternal("id"), id));
    }

    /** Wants the value for a row of its own until there is a clear answer. */
    Finding want(String email, UUID rival, Duration within) throws InterruptedException {
        long end = System.nanoTime() + within.toNanos();
        while (true) {
            try {
                insert(rival, email);
                return Finding.FREE;
            } catch (DuplicateValueException taken) {
                return Finding.TAKEN;
            } catch (ClaimPendingException pending) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("The value is still blocked after " + within, pending);
                }
                Thread.sleep(20);
            }
        }
    }

    /** {@return the rows that show the email} */
    List<UUID> carriers(String email) {
        return session.execute("SELECT id FROM member WHERE email = ? ALLOW FILTERING", email).all().stream()
                .map(row -> Objects.requireNonNull(row.getUuid(0)))
                .toList();
    }

    /** {@return the row that the claim of the email leads to} */
    Optional<String> claimed(String email) {
        return fixture.findOwner(rows, EMAIL, email);
    }

    boolean exists(UUID id) {
        Row row = session.execute("SELECT id FROM member WHERE id = ?", id).one();
        return row != null;
    }
}
