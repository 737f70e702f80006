package io.surewrite.unique.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.rows.CqlRows;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A guard that holds the values of rows which a build has reported, and that have no claim. */
class ReportedDuplicatesIntegrationTests extends CassandraTest {

    private static final String TABLE = "twin";
    private static final UniqueConstraint EMAIL = UniqueConstraint.on(TABLE, "email");

    private static UniqueFixture fixture;
    private static CqlRows rows;

    private final UUID one = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();
    private final String email = "of " + one;
    private ClaimingGuard holding;

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE IF NOT EXISTS " + TABLE + " (id uuid PRIMARY KEY, email text)");
        fixture = new UniqueFixture(session, UniqueListener.NONE);
        rows = fixture.rows(TABLE, EMAIL);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @BeforeEach
    void twins() {
        for (UUID id : List.of(one, other)) {
            session.execute("INSERT INTO " + TABLE + " (id, email) VALUES (?, ?)", id, email);
        }
        report(owner(one), owner(other));
        holding = fixture.guard().holdingDuplicates(session, "surewrite_unique_duplicate");
    }

    private void report(String holder, String twin) {
        session.execute(
                "INSERT INTO surewrite_unique_duplicate (constraint_name, value, other, holder) VALUES (?, ?, ?, ?)",
                EMAIL.name(),
                WantedValue.keyOf(EMAIL, EMAIL.value(List.of(email))).value(),
                twin,
                holder);
    }

    private static String owner(UUID id) {
        return rows.owner(Map.of(CqlIdentifier.fromInternal("id"), id));
    }

    private static void save(ClaimingGuard guard, UUID id, String value) {
        DriverFailures.joined(guard.changeAsync(rows, fixture.write(rows, TABLE, "id", id, "email", value)));
    }

    private static void insert(ClaimingGuard guard, UUID id, String value) {
        DriverFailures.joined(guard.insertAsync(rows, fixture.write(rows, TABLE, "id", id, "email", value)));
    }

    private long rowsWithIt() {
        return session.execute("SELECT email FROM " + TABLE).all().stream()
                .filter(row -> email.equals(row.getString(0)))
                .count();
    }

    @Test
    void onlyAGuardThatHoldsThemKeepsAThirdRowFromTheValue() {
        UUID third = UUID.randomUUID();
        insert(holding, third, "another of " + one);
        assertThatThrownBy(() -> insert(holding, UUID.randomUUID(), email)).isInstanceOf(DuplicateValueException.class);
        assertThatThrownBy(() -> save(holding, third, email)).isInstanceOf(DuplicateValueException.class);
        assertThat(rowsWithIt()).isEqualTo(2);
        insert(fixture.guard(), UUID.randomUUID(), email);
        assertThat(rowsWithIt()).isEqualTo(3);
    }

    /** What was refused leaves no claim behind. */
    @Test
    void theRowsThemselvesMayBeWritten() {
        assertThatThrownBy(() -> insert(holding, UUID.randomUUID(), email)).isInstanceOf(DuplicateValueException.class);
        save(holding, other, email);
        assertThat(fixture.findOwner(rows, EMAIL, email)).contains(owner(other));
    }

    @Test
    void theValueIsFreeWhenNoRowShowsItAnyMore() {
        save(holding, one, "another of " + one);
        UUID third = UUID.randomUUID();
        assertThatThrownBy(() -> insert(holding, third, email)).isInstanceOf(DuplicateValueException.class);
        session.execute("DELETE FROM " + TABLE + " WHERE id = " + other);
        insert(holding, third, email);
        assertThat(fixture.findOwner(rows, EMAIL, email)).contains(owner(third));
    }

    /** A table with another primary key had this constraint before. */
    @Test
    void whatIsNoKeyOfTheTableHoldsNothing() {
        save(holding, one, "another of " + one);
        session.execute("DELETE FROM " + TABLE + " WHERE id = " + other);
        report("3:two", "5:three");
        insert(holding, UUID.randomUUID(), email);
        assertThat(rowsWithIt()).isEqualTo(1);
    }

    /** One request without an answer is sent again; without any answer the value is not given. */
    @Test
    void doesNotGiveAValueAwayUnseen() {
        AtomicInteger unanswered = new AtomicInteger(1);
        CqlSession silent = UniqueFixture.failing(
                session,
                bound -> bound.getPreparedStatement().getQuery().startsWith("SELECT holder")
                        && unanswered.getAndDecrement() > 0);
        try (UniqueFixture others = new UniqueFixture(session, UniqueListener.NONE, UniqueFixture.IMPATIENT)) {
            ClaimingGuard guard = others.guard().holdingDuplicates(silent, "surewrite_unique_duplicate");
            assertThatThrownBy(() -> insert(guard, UUID.randomUUID(), email))
                    .isInstanceOf(DuplicateValueException.class);
            unanswered.set(Integer.MAX_VALUE);
            assertThatThrownBy(() -> insert(guard, UUID.randomUUID(), email))
                    .isInstanceOf(ClaimsUnavailableException.class)
                    .hasCauseInstanceOf(DriverTimeoutException.class);
            assertThat(rowsWithIt()).isEqualTo(2);
        }
    }
}
