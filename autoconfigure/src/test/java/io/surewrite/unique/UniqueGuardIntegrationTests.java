package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.observe.HeardObservations;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.Waits;
import io.surewrite.testsupport.InEachCell;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimAnswer;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import io.surewrite.unique.UniqueBy.Normalisation;
import io.surewrite.unique.UniqueBy.NullRule;
import io.surewrite.unique.UniqueConstraint.UniqueComponent;
import io.surewrite.write.FailureKind;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DuplicateKeyException;

/** What the guard promises, on a real server. */
@InEachCell(InEachCell.Subject.UNIQUE_VALUES)
class UniqueGuardIntegrationTests extends CassandraTest {

    private static final UniqueConstraint EMAIL = new UniqueConstraint(
            "member_email",
            List.of(UniqueComponent.column("email").normalised(Normalisation.TRIMMED.then(Normalisation.CASE_FOLDED))),
            NullRule.NO_CLAIM);
    private static final UniqueConstraint SEAT = UniqueConstraint.on("member_seat", "house", "seat");
    private static final UniqueConstraint SEAT_OR_NONE =
            new UniqueConstraint("member_seat_or_none", SEAT.components(), NullRule.EQUAL);
    private static final UniqueConstraint CUSTOMER_ID = UniqueConstraint.on("customer_id", "id");

    private static final ConcurrentLinkedQueue<String> TAKEOVERS = new ConcurrentLinkedQueue<>();
    private static UniqueFixture fixture;
    private static CqlRows members;

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE IF NOT EXISTS member (id uuid PRIMARY KEY, email text, house text, seat int, born"
                + " timestamp)");
        session.execute("CREATE TABLE IF NOT EXISTS customer_account (id text PRIMARY KEY, email text)");
        fixture = new UniqueFixture(
                session,
                new HeardObservations() {
                    @Override
                    public void onEvent(Observation.Event event, Observation.Context context) {
                        TAKEOVERS.add(event.getContextualName());
                    }
                }.registry());
        members = fixture.rows("member", EMAIL);
    }

    private static EntityWrite member(UUID id, String email) {
        return fixture.write(members, "member", "id", id, "email", email, "house", "h", "seat", 1);
    }

    private static String freshEmail() {
        return UUID.randomUUID() + "@example.org";
    }

    private static String owner(UUID id) {
        return members.owner(Map.of(CqlIdentifier.fromInternal("id"), id));
    }

    @Test
    void refusesAValueThatAnotherRowHas() {
        UUID id = UUID.randomUUID();
        String email = freshEmail();
        fixture.insert(members, member(id, email));

        assertThatThrownBy(() -> fixture.insert(
                        members, member(UUID.randomUUID(), " " + email.toUpperCase(java.util.Locale.ROOT))))
                .isInstanceOf(DuplicateKeyException.class)
                .isInstanceOfSatisfying(DuplicateValueException.class, duplicate -> {
                    assertThat(duplicate.violations()).hasSize(1);
                    assertThat(duplicate.violations().get(0).properties()).containsExactly("email");
                })
                .hasMessageContaining("member_email (email)")
                .message()
                .doesNotContain(email);
        assertThat(fixture.findOwner(members, EMAIL, email)).contains(owner(id));
        assertThat(fixture.findOwner(members, EMAIL, freshEmail())).isEmpty();
    }

    @Test
    void writesTheWholeRowAtOneTimestampWhetherAValueChangesOrNot() {
        UUID id = UUID.randomUUID();
        String email = freshEmail();
        fixture.insert(members, member(id, email));
        long claimed = writeTime(id, "email");
        fixture.change(members, fixture.write(members, "member", "id", id, "email", email, "house", "new"));

        long saved = writeTime(id, "email");
        assertThat(saved).isGreaterThan(claimed).isEqualTo(writeTime(id, "house"));
        fixture.overwrite(members, member(id, email));
        assertThat(writeTime(id, "email")).isGreaterThan(saved).isEqualTo(writeTime(id, "house"));
    }

    @Test
    void claimsNothingForANullUnlessNullsAreEqual() {
        CqlRows seats = fixture.rows("member", SEAT);
        String house = "house-" + UUID.randomUUID();
        fixture.insert(seats, seat(seats, house, null));
        fixture.insert(seats, seat(seats, house, null));

        CqlRows strict = fixture.rows("member", SEAT_OR_NONE);
        fixture.insert(strict, seat(strict, house, null));
        assertThatThrownBy(() -> fixture.insert(strict, seat(strict, house, null)))
                .isInstanceOf(DuplicateValueException.class);
    }

    private static EntityWrite seat(CqlRows rows, String house, Integer seat) {
        return fixture.write(rows, "member", "id", UUID.randomUUID(), "house", house, "seat", seat);
    }

    @Test
    void refusesASecondInsertOfANaturalKeyButNotARetryOfItsOwn() {
        CqlRows customers = fixture.rows("customer_account", CUSTOMER_ID);
        String id = "customer-" + UUID.randomUUID();
        EntityWrite write = fixture.write(customers, "customer_account", "id", id, "email", "a@example.org");
        io.surewrite.write.WriteScope scope =
                io.surewrite.write.WriteScope.at(WriteTimestamps.of(session).draw());
        scope.call(() -> {
            fixture.insert(customers, write);
            fixture.insert(customers, write);
            return id;
        });
        assertThatThrownBy(() -> fixture.insert(customers, write)).isInstanceOf(DuplicateValueException.class);

        fixture.delete(customers, write.owner());
        fixture.insert(customers, write);
    }

    /** As two processes do that take an event's time for the timestamp. */
    @Test
    void refusesASecondInsertOfANaturalKeyInAnotherScope() {
        CqlRows customers = fixture.rows("customer_account", CUSTOMER_ID);
        UniqueFixture elsewhere = new UniqueFixture(session, ObservationRegistry.NOOP);
        for (UniqueFixture second : List.of(fixture, elsewhere)) {
            long timestamp = WriteTimestamps.of(session).draw();
            String id = "customer-" + UUID.randomUUID();
            insertAt(timestamp, fixture, customers, id, "first");
            assertThatThrownBy(() -> insertAt(timestamp, second, customers, id, "second"))
                    .isInstanceOf(DuplicateValueException.class);
            assertThat(customerEmail(id)).isEqualTo("first");
        }
    }

    private static void insertAt(long timestamp, UniqueFixture process, CqlRows customers, String id, String email) {
        EntityWrite write = process.write(customers, "customer_account", "id", id, "email", email);
        io.surewrite.write.WriteScope.at(timestamp).call(() -> {
            process.insert(customers, write);
            return id;
        });
    }

    private static String customerEmail(String id) {
        return Objects.requireNonNull(session.execute("SELECT email FROM customer_account WHERE id = ?", id)
                        .one())
                .getString("email");
    }

    /** Whoever retries several writes must not call them undone when one of them is guarded and done. */
    @Test
    void tellsTheWriteThatItIsAPartOfWhetherItIsInEffect() {
        String email = freshEmail();
        io.surewrite.write.WriteScope scope =
                new io.surewrite.write.WriteScope(WriteTimestamps.of(session).draw(), true, true, null, null);
        scope.call(() -> {
            fixture.insert(members, member(UUID.randomUUID(), email));
            fixture.findOwner(members, EMAIL, email);
            return email;
        });
        assertThat(inEffect(scope)).isEqualTo(1);
        assertThatThrownBy(() -> scope.call(() -> {
                    fixture.insert(members, member(UUID.randomUUID(), email));
                    return email;
                }))
                .isInstanceOf(DuplicateValueException.class);
        assertThat(inEffect(scope)).isZero();
    }

    private static int inEffect(io.surewrite.write.WriteScope scope) {
        return scope.statements()
                .tally(new IllegalStateException("of another statement"), failure -> FailureKind.OTHER)
                .inEffect();
    }

    /** The writer claimed and died. */
    @Test
    @Waits
    void takesAnAbandonedClaimOverAndStopsTheLateWrite() {
        UUID dead = UUID.randomUUID();
        String email = freshEmail();
        long late = WriteTimestamps.of(session).next();
        claimFor(dead, email, late);
        TAKEOVERS.clear();

        UUID id = UUID.randomUUID();
        assertThatThrownBy(() -> fixture.insert(members, member(id, email)))
                .isInstanceOfSatisfying(
                        ClaimPendingException.class,
                        pending -> assertThat(pending.timeLeft()).isBetween(Duration.ZERO, Duration.ofSeconds(2)));
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .untilAsserted(() -> fixture.insert(members, member(id, email)));
        assertThat(TAKEOVERS).hasSize(1);

        member(dead, email).writing().apply(late).toCompletableFuture().join();
        assertThat(email(dead)).isNull();
        assertThat(email(id)).isEqualTo(email);
    }

    private static void claimFor(UUID id, String email, long timestamp) {
        ClaimKey key = WantedValue.keyOf(EMAIL, EMAIL.value(List.of(email)));
        Claim claim = new Claim(owner(id), UUID.randomUUID(), UUID.randomUUID(), timestamp);
        assertThat(fixture.store().create(key, claim).toCompletableFuture().join())
                .isInstanceOf(ClaimAnswer.Done.class);
    }

    @Test
    void keepsValuesThatAreNoColumns() {
        UniqueConstraint nickname = new UniqueConstraint(
                "nickname",
                List.of(UniqueComponent.column("nickname").normalised(Normalisation.CASE_FOLDED)),
                NullRule.NO_CLAIM);
        String fresh = UUID.randomUUID().toString();
        String one = "user:1-" + fresh;
        String two = "user:2-" + fresh;
        fixture.guard().claim(nickname, one, "Tom" + fresh);
        fixture.guard().claim(nickname, one, "Tom" + fresh);
        assertThatThrownBy(() -> fixture.guard().claim(nickname, two, "TOM" + fresh))
                .isInstanceOf(DuplicateValueException.class);
        assertThat(fixture.guard().findOwner(nickname, "tom" + fresh)).contains(one);

        fixture.guard().claim(nickname, one, "Thomas" + fresh);
        fixture.guard().claim(nickname, two, "Tom" + fresh);
        fixture.guard().release(nickname, two);
        assertThat(fixture.guard().findOwner(nickname, "tom" + fresh)).isEmpty();
    }

    @Test
    void refusesTablesWhoseRowsCannotBeRestored() {
        session.execute("CREATE TABLE IF NOT EXISTS tagged (id uuid PRIMARY KEY, email text, tags list<text>)");
        assertThatThrownBy(() -> fixture.rows("tagged", EMAIL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tags of table tagged is a list");
        session.execute("CREATE TABLE IF NOT EXISTS keyed (tags frozen<set<text>> PRIMARY KEY, email text)");
        assertThatThrownBy(() -> fixture.rows("keyed", EMAIL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tags of the primary key of table keyed is a frozen<set<text>>");
        assertThatThrownBy(() -> fixture.rows("member", UniqueConstraint.on("nothing", "mail")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'nothing', 'mail' is missing in member. Add mail");
        session.execute(
                "CREATE TABLE IF NOT EXISTS hasty (id uuid PRIMARY KEY, email text) WITH read_repair = 'NONE' AND"
                        + " gc_grace_seconds = 60");
        assertThatThrownBy(() -> fixture.rows("hasty", EMAIL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ALTER TABLE hasty WITH read_repair = 'BLOCKING'")
                .hasMessageContaining("ALTER TABLE hasty WITH gc_grace_seconds = 864000");
    }

    private static String email(UUID id) {
        Row row = session.execute("SELECT email FROM member WHERE id = " + id).one();
        return row == null ? null : row.getString(0);
    }

    private static long writeTime(UUID id, String column) {
        return session.execute("SELECT WRITETIME(" + column + ") FROM member WHERE id = " + id)
                .one()
                .getLong(0);
    }
}
