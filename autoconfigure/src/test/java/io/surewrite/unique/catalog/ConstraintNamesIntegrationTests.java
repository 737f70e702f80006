package io.surewrite.unique.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.WriteListener;
import io.surewrite.cql.WriteOutcome;
import io.surewrite.cql.settle.SettlingConditionalWrites;
import io.surewrite.schema.SchemaTable;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.catalog.AnnouncedConstraints.Heard;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What processes say of the constraints of a table, word by word; each test has a table of its own. */
class ConstraintNamesIntegrationTests extends CassandraTest {

    private static final Duration STAYS = Duration.ofSeconds(100);
    private static final ScheduledExecutorService SCHEDULER = Executors.newScheduledThreadPool(1);

    private final String table = "shop.it's " + UUID.randomUUID();

    @BeforeAll
    static void createTable() throws IOException {
        session.execute(SchemaTable.named("claim")
                .ddl()
                .getContentAsString(StandardCharsets.UTF_8)
                .replace("${table}", "surewrite_claim"));
    }

    @AfterAll
    static void close() {
        SCHEDULER.shutdown();
    }

    private static AnnouncedConstraints process(String name) {
        return process(name, session, STAYS);
    }

    private static AnnouncedConstraints process(String name, CqlSession on, Duration stays) {
        return new AnnouncedConstraints(
                on,
                SettlingConditionalWrites.on(session, SCHEDULER, WriteListener.NONE),
                "surewrite_claim",
                Duration.ofSeconds(10),
                stays,
                name);
    }

    private @Nullable Row said(String kind) {
        return session.execute(SimpleStatement.newInstance(
                        "SELECT owner, claim_id, TTL(owner) FROM surewrite_claim WHERE constraint_name = ? AND value = ?",
                        "surewrite:" + kind,
                        table))
                .one();
    }

    @Test
    void nothingIsWrittenOfATableWithoutConstraints() {
        assertThat(process("one").exchange(table, Set.of(), true)).isEqualTo(new Heard(Set.of(), Optional.empty()));
        assertThat(said("constraints")).isNull();
        assertThat(said("unguarded")).isNull();
    }

    @Test
    void eachHearsOfWhatItLacksAndOfWhoWritesPastItsOwn() {
        assertThat(process("one").exchange(table, Set.of("login"), true))
                .isEqualTo(new Heard(Set.of(), Optional.empty()));
        assertThat(process("two").exchange(table, Set.of("email"), true))
                .isEqualTo(new Heard(Set.of("login"), Optional.empty()));
        assertThat(process("one").exchange(table, Set.of("login"), true))
                .isEqualTo(new Heard(Set.of("email"), Optional.of("two, without login")));
        assertThat(process("two").exchange(table, Set.of("email"), true))
                .as("it does not hear of itself")
                .isEqualTo(new Heard(Set.of("login"), Optional.empty()));
        assertThat(process("three").exchange(table, Set.of(), false))
                .isEqualTo(new Heard(Set.of("email", "login"), Optional.of("two, without login")));
        assertThat(process("four").exchange(table, Set.of("email", "login"), true))
                .isEqualTo(new Heard(Set.of(), Optional.of("two, without login")));
    }

    /** What one lacks ends by itself; the names stay. */
    @Test
    void whatIsLackingIsSaidAgainAndForATimeOnly() {
        process("one").exchange(table, Set.of("login", "email"), true);
        process("two").exchange(table, Set.of(), true);
        Row first = said("unguarded");
        assertThat(first).isNotNull();
        assertThat(first.getInt(2)).isBetween(1, 100);
        process("two", session, Duration.ofSeconds(200)).exchange(table, Set.of(), true);
        Row again = said("unguarded");
        assertThat(again).isNotNull();
        assertThat(again.getInt(2)).isBetween(101, 200);
        assertThat(again.getUuid(1)).isNotEqualTo(first.getUuid(1));
        Row names = said("constraints");
        assertThat(names).isNotNull();
        assertThat(names.isNull(2)).isTrue();
    }

    /** Even for less than a second: no time to live would be one without an end. */
    @Test
    void whatIsSaidForAShortTimeEnds() {
        process("one").exchange(table, Set.of("login"), true);
        process("two", session, Duration.ofMillis(1)).exchange(table, Set.of(), true);
        Row lacking = said("unguarded");
        assertThat(lacking == null || lacking.getInt(2) == 1).isTrue();
    }

    @Test
    void whoDoesNotWriteYetSaysNothingOfWhatItLacks() {
        process("one").exchange(table, Set.of("login"), true);
        process("two").exchange(table, Set.of(), false);
        assertThat(said("unguarded")).isNull();
    }

    @Test
    void namesThatAreKnownAreNotWrittenAgain() {
        process("one").exchange(table, Set.of("login", "email"), true);
        Row before = said("constraints");
        process("two").exchange(table, Set.of("login"), true);
        Row after = said("constraints");
        assertThat(before).isNotNull();
        assertThat(after).isNotNull();
        assertThat(after.getUuid(1)).isEqualTo(before.getUuid(1));
        process("three").exchange(table, Set.of("phone"), true);
        Row more = said("constraints");
        assertThat(more).isNotNull();
        assertThat(more.getUuid(1)).isNotEqualTo(before.getUuid(1));
    }

    @Test
    void whatIsForgottenIsOfThisTableAlone() {
        String other = table + " too";
        process("one").exchange(table, Set.of("login"), true);
        process("one").exchange(other, Set.of("login"), true);
        session.execute(process("two").forgetting(table));
        assertThat(process("two").exchange(table, Set.of(), false).missing()).isEmpty();
        assertThat(process("two").exchange(other, Set.of(), false).missing()).containsExactly("login");
    }

    /** At the eighth time. No name of those that were faster is lost. */
    @Test
    void whoIsAlwaysTooLateGivesUp() {
        process("late", meanwhile(7), STAYS).exchange(table, Set.of("late"), true);
        assertThat(process("last").exchange(table, Set.of(), false).missing())
                .hasSize(8)
                .contains("late");
        assertThatExceptionOfType(ClaimsUnavailableException.class)
                .isThrownBy(() -> process("later", meanwhile(8), STAYS).exchange(table, Set.of("later"), true))
                .withMessage("The constraints of %s could not be announced", table)
                .withNoCause();
    }

    /** A session after whose first reads another process adds a name, each time a new one. */
    private CqlSession meanwhile(int times) {
        AtomicInteger reads = new AtomicInteger();
        return (CqlSession) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    Object answer;
                    try {
                        answer = method.invoke(session, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                    if (method.getName().equals("execute") && reads.incrementAndGet() <= times) {
                        process("quick").exchange(table, Set.of("added " + UUID.randomUUID()), false);
                    }
                    return answer;
                });
    }

    @Test
    void saysThatThereIsNoClearAnswer() {
        ConditionalWrites silent = (write, timeout) ->
                CompletableFuture.completedFuture(new WriteOutcome.Unknown(new DriverTimeoutException("no answer")));
        assertThatExceptionOfType(ClaimsUnavailableException.class)
                .isThrownBy(() -> new AnnouncedConstraints(
                                session, silent, "surewrite_claim", Duration.ofSeconds(1), STAYS, "one")
                        .exchange(table, Set.of("login"), true))
                .withMessage("The constraints of %s could not be announced", table)
                .withCauseInstanceOf(DriverTimeoutException.class);
    }
}
