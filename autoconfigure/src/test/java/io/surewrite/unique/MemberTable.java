package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Rows with a unique email, their writers, and a rival who wants to know whether a value is free. */
final class MemberTable {

    static final String DDL = "CREATE TABLE IF NOT EXISTS member (id uuid PRIMARY KEY, email text, note text)";

    static final UniqueConstraint EMAIL = UniqueConstraint.on("member_email", "email");

    private final CqlSession session;
    private final UniqueFixture fixture;
    private final CqlRows rows;

    /** What a writer does with a row. */
    enum Operation {
        INSERT(2),
        CHANGE(4),
        DELETE(3);

        /** How many requests it sends when nothing goes wrong. */
        final int requests;

        Operation(int requests) {
            this.requests = requests;
        }
    }

    /** What a rival found out. */
    enum Finding {
        FREE,
        TAKEN
    }

    MemberTable(CqlSession session, UniqueFixture fixture) {
        this.session = session;
        this.fixture = fixture;
        this.rows = fixture.rows("member", EMAIL);
    }

    void insert(UUID id, String email) {
        fixture.guard().insert(rows, write(id, email));
    }

    /** Changes the value from the old one to the new one, makes a row with the new one, or deletes the one with it. */
    void run(Operation operation, UUID id, String email) {
        switch (operation) {
            case INSERT -> insert(id, email);
            case CHANGE -> fixture.guard().change(rows, write(id, email));
            case DELETE -> fixture.guard().delete(rows, owner(id));
        }
    }

    private EntityWrite write(UUID id, String email) {
        return fixture.write(rows, "member", "id", id, "email", email, "note", "written by " + id);
    }

    String owner(UUID id) {
        return rows.owner(Map.of(CqlIdentifier.fromInternal("id"), id));
    }

    /**
     * Wants the value for a row of its own until there is a clear answer.
     *
     * @throws AssertionError if there is none within the time
     */
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

    /** {@return the rows that show the value} */
    List<UUID> carriers(String email) {
        return session.execute("SELECT id FROM member WHERE email = ? ALLOW FILTERING", email).all().stream()
                .map(row -> Objects.requireNonNull(row.getUuid(0)))
                .toList();
    }

    /** {@return the row that the claim of the value leads to, or none} */
    List<String> claimed(String email) {
        return fixture.guard().findOwner(rows, EMAIL, email).stream().toList();
    }

    boolean exists(UUID id) {
        Row row = session.execute("SELECT id FROM member WHERE id = ?", id).one();
        return row != null;
    }
}
