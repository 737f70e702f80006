package io.surewrite.alledeals.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.alledeals.ShopTest;
import io.surewrite.alledeals.lab.TombstonesRead;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueFinder;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.test.util.AopTestUtils;

class UserApiIntegrationTests extends ShopTest {

    @Autowired
    private CqlSession session;

    @Autowired
    private CassandraOperations cassandra;

    @Autowired
    private UserRepository users;

    @Autowired
    private UserService service;

    @Autowired
    private UniqueFinder finder;

    @Autowired
    private AttributeJournal attributes;

    @Autowired
    private SeenUsers seen;

    @Autowired
    private AbandonedClaims abandoned;

    private final UUID id = UUID.randomUUID();
    private final String path = "/api/users/" + id;

    @Test
    void registersAUserAndReadsItBack() {
        Map<String, Object> user = user("kata");
        user.put("fullName", "Żaneta Ökonom");
        user.put("city", "Łódź");
        user.put("about", "First line.\nSecond line.");

        put(path, user).expectStatus().isCreated().expectHeader().valueEquals(HttpHeaders.LOCATION, path);

        assertThat(json(path)).containsAllEntriesOf(user).containsEntry("id", id.toString());
    }

    /** Oracle 1. */
    @Test
    void refusesALoginOrAnEmailThatSomebodyHasHoweverItIsSpelled() {
        put(path, user("unique.one")).expectStatus().isCreated();
        String other = "/api/users/" + UUID.randomUUID();
        Map<String, Object> second = user("UNIQUE.one");
        second.put("email", "second@example.org");

        refused(put(other, second), 409, "duplicate-value")
                .jsonPath("$.constraints")
                .isEqualTo(List.of("user-login"))
                .jsonPath("$.errors[0].field")
                .isEqualTo("login");
        get(other).expectStatus().isNotFound();

        second.put("login", "unique.two");
        second.put("email", "Unique.One@example.org");
        refused(put(other, second), 409, "duplicate-value")
                .jsonPath("$.constraints")
                .isEqualTo(List.of("user-email"));

        second.put("email", "second@example.org");
        put(other, second).expectStatus().isCreated();
        get(other + "/journal")
                .expectBody()
                .jsonPath("$.login[*].value")
                .isEqualTo(List.of("unique.two"))
                .jsonPath("$.email[*].value")
                .isEqualTo(List.of("second@example.org"));
    }

    @Test
    void findsAUserByALoginInAnyCase() {
        put(path, user("Found.Me")).expectStatus().isCreated();
        assertThat(json("/api/users?login=fOUND.mE"))
                .containsAllEntriesOf(Map.of("id", id.toString(), "login", "Found.Me"));

        put(path, user("moved.on")).expectStatus().isOk();
        refused(get("/api/users?login=found.me"), 404, "user-not-found");
        get("/api/users?login=moved.on").expectStatus().isOk();
        get("/api/users?login=no%20spaces").expectStatus().isBadRequest();
    }

    /** As if the process had died between the row and the journal. */
    @Test
    void journalsAChangeThatWasNotJournaledWhenItIsRepeated() {
        cassandra.insert(new User(id, "half.done", "half.done@example.org", 34, null, null, null));
        get(path + "/journal").expectBody().jsonPath("$.login").doesNotExist();

        put(path, user("half.done")).expectStatus().isOk();

        get(path + "/journal").expectBody().jsonPath("$.login[*].value").isEqualTo(List.of("half.done"));
    }

    /** Oracle 1. */
    @Test
    void freesALoginThatIsChangedAndOneWhoseUserIsRemoved() {
        put(path, user("early.name")).expectStatus().isCreated();
        put(path, user("later.name")).expectStatus().isOk();
        UUID other = UUID.randomUUID();
        put("/api/users/" + other, user("later.name")).expectStatus().isEqualTo(HttpStatus.CONFLICT);
        put("/api/users/" + other, user("early.name")).expectStatus().isCreated();

        api.delete().uri(path).exchange().expectStatus().isNoContent();
        put("/api/users/" + UUID.randomUUID(), user("later.name"))
                .expectStatus()
                .isCreated();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "null",
            value = {
                "login | null",
                "login | <script>",
                "email | a@b@c",
                "age   | null",
                "age   | old",
                "nick  | unknown field",
            })
    void refusesABadValueAndNamesIt(String field, String value) {
        Map<String, Object> user = user("valid");
        user.put(field, value);

        refused(put(path, user), 400, "invalid-request", field);
        get(path).expectStatus().isNotFound();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "null", "{\"login\":\"a\"} trailing"})
    void refusesABodyThatIsNoUser(String body) {
        refused(put(path, body), 400, "malformed-request").jsonPath("$.detail").isNotEmpty();
        get(path).expectStatus().isNotFound();
    }

    @Test
    void oracle8OverwritesAProfileWithManyNullsWithoutATombstone() throws Exception {
        Map<String, Object> user = user("bare");
        user.put("fullName", "Full Name");
        user.put("city", "Porto");
        user.put("about", "Words.");
        put(path, user).expectStatus().isCreated();

        for (Map<String, Object> profile : List.of(Map.<String, Object>of("city", "Lyon"), Map.<String, Object>of())) {
            put(path + "/profile", profile).expectStatus().isOk();
        }

        List.of("fullName", "city", "about").forEach(overwritten -> user.put(overwritten, null));
        assertThat(json(path)).containsAllEntriesOf(user);
        assertThat(TombstonesRead.tombstones(
                        session.execute(SimpleStatement.newInstance("SELECT * FROM cass_user WHERE user_id = ?", id)
                                .setTracing(true))))
                .isZero();
    }

    @Test
    void removesAUserOnceAndForAll() {
        put(path, user("leaver")).expectStatus().isCreated();
        UUID item = listed(item(id));

        api.delete().uri(path).exchange().expectStatus().isNoContent();
        api.delete().uri(path).exchange().expectStatus().isNoContent();

        get(path).expectStatus().isNotFound();
        get("/items/" + item).expectStatus().isOk();
        get("/users/" + id + "/items").expectStatus().isOk();
        get("/api/users/" + id + "/items").expectStatus().isOk();
    }

    @Test
    void leavesNothingOfWhatARemovedUserEverSaidInAnyTable() {
        Map<String, Object> user = user("wren.early");
        user.put("fullName", "Early Wren");
        put(path, user).expectStatus().isCreated();
        user.put("login", "wren.late");
        user.put("email", "wren.late@example.org");
        put(path, user).expectStatus().isOk();
        put(path + "/profile", Map.of("city", "Wrenbury", "about", "Wrens sing."))
                .expectStatus()
                .isOk();
        assertThat(tablesThatSay("wren"))
                .containsExactlyInAnyOrder(
                        "cass_user", "surewrite_claim", "surewrite_journal", "surewrite_journal_state");

        api.delete().uri(path).exchange().expectStatus().isNoContent();

        assertThat(tablesThatSay("wren")).isEmpty();
        get(path + "/journal").expectStatus().isNotFound();
        put(path, user("begun.anew")).expectStatus().isCreated();
        get(path + "/journal").expectBody().jsonPath("$.login[*].value").isEqualTo(List.of("begun.anew"));
    }

    /** As of a process that died between the claim and the row. */
    @Test
    @LongLane
    void removesTheLoginOfNobodyThatADeadProcessLeft() {
        users.insert(new User(id, "nuthatch", "nuthatch@example.org", 34, null, null, null));
        session.execute("DELETE FROM cass_user WHERE user_id = " + id);
        assertThat(tablesThatSay("nuthatch")).containsExactly("surewrite_claim");
        AbandonedClaims repairs = AopTestUtils.getTargetObject(abandoned);
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            repairs.repair();
            assertThat(tablesThatSay("nuthatch")).isEmpty();
        });
    }

    /** As if the process had died between the row and the journal. */
    @Test
    void forgetsWhatIsLeftWhenAUserIsRemovedAgain() {
        put(path, user("siskin")).expectStatus().isCreated();
        users.deleteById(id);
        assertThat(tablesThatSay("siskin")).containsExactlyInAnyOrder("surewrite_journal", "surewrite_journal_state");

        api.delete().uri(path).exchange().expectStatus().isNoContent();

        assertThat(tablesThatSay("siskin")).isEmpty();
    }

    @Test
    void forgetsAChangeWhoseUserIsRemovedBeforeItIsRecorded() {
        put(path, user("dunnock")).expectStatus().isCreated();
        UserJournal late = new UserJournal(attributes, clock) {
            @Override
            boolean record(User user) {
                service.remove(user.id());
                return super.record(user);
            }
        };

        new UserService(users, finder, late, seen).replaceProfile(id, new ProfileDetails("Dunnock", null, null));

        get(path).expectStatus().isNotFound();
        assertThat(tablesThatSay("dunnock")).isEmpty();
    }

    private List<String> tablesThatSay(String word) {
        String keyspace = session.getKeyspace().orElseThrow().asInternal();
        return session
                .execute("SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?", keyspace)
                .map(table -> String.valueOf(table.getString("table_name")))
                .all()
                .stream()
                .filter(table -> session.execute("SELECT JSON * FROM " + table).all().stream()
                        .anyMatch(row -> String.valueOf(row.getString(0))
                                .toLowerCase(Locale.ROOT)
                                .contains(word)))
                .toList();
    }
}
