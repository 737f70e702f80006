package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.Waits;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import io.surewrite.write.WriteTimestamps;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A row that was there before the constraint of its login, whose claims are not built yet, on a real server. */
@LongLane
class UnclaimedRowsIntegrationTests extends CassandraTest {

    private static final String TABLE = "resident";
    private static final UniqueConstraint EMAIL = UniqueConstraint.on("resident-email", "email");
    private static final UniqueConstraint LOGIN = UniqueConstraint.on("resident-login", "login");

    private static UniqueFixture fixture;
    private static CqlRows rows;

    private final UUID id = UUID.randomUUID();
    private final String login = "login of " + id;
    private final String email = "email of " + id;

    @BeforeAll
    static void createTables() {
        session.execute(
                "CREATE TABLE IF NOT EXISTS " + TABLE + " (id uuid PRIMARY KEY, email text, login text, note text)");
        fixture = new UniqueFixture(session, ObservationRegistry.NOOP);
        rows = fixture.rows(TABLE, EMAIL, LOGIN);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    /** By a process that knows of the first constraint alone. */
    @BeforeEach
    void insertTheRow() {
        CqlRows before = fixture.rows(TABLE, EMAIL);
        fixture.insert(before, resident(before, id, email, login, "before"));
    }

    private static EntityWrite resident(CqlRows rows, UUID id, @Nullable String email, String login, String note) {
        return fixture.write(rows, TABLE, "id", id, "email", email, "login", login, "note", note);
    }

    private String owner() {
        return rows.owner(Map.of(CqlIdentifier.fromInternal("id"), id));
    }

    private void insertAnother(@Nullable String hisEmail, String hisLogin) {
        fixture.insert(rows, resident(rows, UUID.randomUUID(), hisEmail, hisLogin, "another"));
    }

    /** That save of the row claims its login, finds its new email taken, and gives the login up, when another has seen the claim. */
    @Test
    void aSaveDoesNotRelyOnAClaimThatAnotherGivesUp() {
        insertAnother("taken by " + id, "another login of " + id);
        CompletableFuture<Void> saved = new CompletableFuture<>();
        CompletableFuture<Void> givesUp = new CompletableFuture<>();
        CqlSession slow = (CqlSession) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("executeAsync")
                            && arguments[0] instanceof BoundStatement bound
                            && bound.getPreparedStatement().getQuery().startsWith("DELETE")) {
                        givesUp.complete(null);
                        CompletionStage<AsyncResultSet> late = saved.thenCompose(done -> session.executeAsync(bound));
                        return late;
                    }
                    return method.invoke(session, arguments);
                });
        try (UniqueFixture other = new UniqueFixture(slow, ObservationRegistry.NOOP)) {
            CompletableFuture<Void> failing = other.guard()
                    .changeAsync(rows, resident(rows, id, "taken by " + id, login, "failing"))
                    .toCompletableFuture();
            Awaitility.await().until(givesUp::isDone);
            fixture.change(rows, resident(rows, id, email, login, "saved"));
            saved.complete(null);
            assertThatThrownBy(failing::join).hasCauseInstanceOf(DuplicateValueException.class);
        }
        assertThat(fixture.findOwner(rows, LOGIN, login)).contains(owner());
        assertThatThrownBy(() -> insertAnother(null, login)).isInstanceOf(DuplicateValueException.class);
    }

    /** The row has to be written again for that. */
    @Test
    @Waits
    void aValueThatItsWriterDiedOverIsFreeAfterTheLease() {
        String wanted = "wanted from " + id;
        long died = WriteTimestamps.of(session).next();
        Claim claim = new Claim(owner(), UUID.randomUUID(), UUID.randomUUID(), died);
        assertThat(fixture.store()
                        .create(WantedValue.keyOf(EMAIL, EMAIL.value(List.of(wanted))), claim)
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(ClaimStore.ClaimAnswer.Done.class);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .untilAsserted(() -> insertAnother(wanted, "another login of " + id));

        resident(rows, id, wanted, login, "late")
                .write(died)
                .toCompletableFuture()
                .join();
        assertThat(fixture.findOwner(rows, EMAIL, email)).as("not the late one").contains(owner());
        assertThat(fixture.findOwner(rows, LOGIN, login)).contains(owner());
        assertThatThrownBy(() -> insertAnother(null, login)).isInstanceOf(DuplicateValueException.class);
    }
}
