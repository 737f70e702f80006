package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimAnswer;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On a real server: an operation that is acknowledged late asks whether a takeover has fenced its row since. */
class FencedRowIntegrationTests extends CassandraTest {

    private static final UniqueConstraint LOGIN = UniqueConstraint.on("fan_login", "login");

    /** Reservations have ended meanwhile. */
    private static final long LATE = UniqueFixture.SETTINGS.lease().toNanos() / 1_000;

    private static UniqueFixture fixture;
    private static CqlRows fans;

    private final UUID id = UUID.randomUUID();
    private final String login = "fan " + id;

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE IF NOT EXISTS fan (id uuid PRIMARY KEY, login text, city text)");
        fixture = new UniqueFixture(session, ObservationRegistry.NOOP);
        fans = fixture.rows("fan", LOGIN);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void aLateSaveBelowTheFenceIsUnknown() {
        long begun = now() - LATE;
        fence(begun);
        assertThatThrownBy(() -> saveAt(begun)).isInstanceOf(SupersededException.class);
    }

    @Test
    void aSaveInTimeIsDoneWhateverTheFence() {
        fixture.insert(fans, fan("Graz"));
        fence(now() + 50_000);
        fixture.change(fans, fan("Wien"));
        assertThat(city()).isEqualTo("Wien");
    }

    private void saveAt(long timestamp) {
        WriteScope.at(timestamp).call(() -> {
            fixture.change(fans, fan("Wien"));
            return login;
        });
    }

    private EntityWrite fan(String city) {
        return fixture.write(fans, "fan", "id", id, "login", login, "city", city);
    }

    private String owner() {
        return fans.owner(Map.of(CqlIdentifier.fromInternal("id"), id));
    }

    private String city() {
        return row().getString(0);
    }

    private Row row() {
        return session.execute("SELECT city FROM fan WHERE id = " + id).one();
    }

    private static long now() {
        return WriteTimestamps.of(session).next();
    }

    private void fence(long timestamp) {
        assertThat(fixture.store()
                        .fence(WantedValue.ofRow(fans, owner()), claim(timestamp))
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(ClaimAnswer.Done.class);
    }

    private Claim claim(long timestamp) {
        return new Claim(owner(), UUID.randomUUID(), null, timestamp);
    }
}
