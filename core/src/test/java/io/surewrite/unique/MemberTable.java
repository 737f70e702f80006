package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Rows with a unique email, or a unique phone too, their writers, and a rival who wants to know whether values are free. */
final class MemberTable {

    static final String DDL =
            "CREATE TABLE IF NOT EXISTS member (id uuid PRIMARY KEY, email text, phone text, note text)";

    private static final UniqueConstraint EMAIL = UniqueConstraint.on("member_email", "email");
    private static final UniqueConstraint PHONE = UniqueConstraint.on("member_phone", "phone");
    private static final UniqueConstraint TOGETHER = UniqueConstraint.on("member_email_phone", "email", "phone");

    private final CqlSession session;
    private final UniqueFixture fixture;
    private final List<UniqueConstraint> constraints;
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

    /** With the email alone unique. */
    MemberTable(CqlSession session, UniqueFixture fixture) {
        this(session, fixture, "1");
    }

    /**
     * @param constraints {@code 1}, {@code 2} for the phone too, or {@code together} for both in one constraint
     */
    MemberTable(CqlSession session, UniqueFixture fixture, String constraints) {
        this.session = session;
        this.fixture = fixture;
        this.constraints = switch (constraints) {
            case "1" -> List.of(EMAIL);
            case "2" -> List.of(EMAIL, PHONE);
            case "together" -> List.of(TOGETHER);
            default -> throw new IllegalArgumentException("Which constraints are " + constraints + "?");
        };
        this.rows = fixture.rows("member", this.constraints.toArray(UniqueConstraint[]::new));
    }

    /** {@return how many requests an operation sends at least, when nothing goes wrong} */
    int requests(Operation operation) {
        int values = constraints.size();
        int rowClaim = rows.mayMix() ? 1 : 0; // not there before the first change
        return switch (operation) {
            case INSERT -> values + 1;
            case CHANGE -> 2 * rowClaim + 2 * values + 2 + values;
            case DELETE -> 2 + values + rowClaim;
        };
    }

    void insert(UUID id, String email) {
        fixture.insert(rows, write(id, email));
    }

    /** Changes the values from the old ones to the new ones, makes a row with the new ones, or deletes the one with them. */
    void run(Operation operation, UUID id, String email) {
        switch (operation) {
            case INSERT -> insert(id, email);
            case CHANGE -> fixture.change(rows, write(id, email));
            case DELETE -> fixture.delete(rows, owner(id));
        }
    }

    private EntityWrite write(UUID id, String email) {
        return fixture.write(
                rows, "member", "id", id, "email", email, "phone", phone(email), "note", "written by " + id);
    }

    /** Each row has the two values that belong together. */
    private static String phone(String email) {
        return "phone of " + email;
    }

    String owner(UUID id) {
        return rows.owner(Map.of(CqlIdentifier.fromInternal("id"), id));
    }

    /** Wants the values for a row of its own until there is a clear answer. */
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

    /** {@return the rows that show the email, and so its phone} */
    List<UUID> carriers(String email) {
        List<UUID> carriers = carriers("email", email);
        assertThat(carriers("phone", phone(email))).isEqualTo(carriers);
        return carriers;
    }

    private List<UUID> carriers(String column, String value) {
        return session
                .execute("SELECT id FROM member WHERE %s = ? ALLOW FILTERING".formatted(column), value)
                .all()
                .stream()
                .map(row -> Objects.requireNonNull(row.getUuid(0)))
                .toList();
    }

    /** {@return the rows that the claims of the values lead to: one and the same} */
    Set<String> claimed(String email) {
        return constraints.stream()
                .map(constraint -> fixture.findOwner(
                                rows,
                                constraint,
                                constraint.properties().stream()
                                        .map(property -> property.equals("email") ? email : phone(email))
                                        .toArray())
                        .orElse("nobody"))
                .collect(Collectors.toSet());
    }

    boolean exists(UUID id) {
        Row row = session.execute("SELECT id FROM member WHERE id = ?", id).one();
        return row != null;
    }
}
