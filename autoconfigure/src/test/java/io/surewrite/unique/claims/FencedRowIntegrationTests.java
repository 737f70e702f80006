package io.surewrite.unique.claims;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.Waits;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import io.surewrite.unique.rows.CqlRows;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On a real server: nobody relies on what a fence may be about to remove, or leaves what it may be about to bring back. */
class FencedRowIntegrationTests extends CassandraTest {

    private static final UniqueConstraint LOGIN = UniqueConstraint.on("fan_login", "login");

    private static UniqueFixture fixture;
    private static CqlRows fans;

    private final UUID id = UUID.randomUUID();
    private final String login = "fan " + id;

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE IF NOT EXISTS fan (id uuid PRIMARY KEY, login text, city text)");
        fixture = new UniqueFixture(session, UniqueListener.NONE);
        fans = fixture.rows("fan", LOGIN);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void savesEverythingAboveAFenceWithTheVeryTimestampOfTheRow() {
        fixture.insert(fans, fan("Wien"));
        long written = writtenAt();
        fence(written);

        fixture.change(fans, fan("Graz"));

        assertThat(writtenAt()).isGreaterThan(written);
    }

    @Test
    void savesTheOtherColumnsAloneAboveAFenceBelowTheRow() {
        fixture.insert(fans, fan("Wien"));
        long written = writtenAt();
        fence(written - 1);

        fixture.change(fans, fan("Graz"));

        assertThat(writtenAt()).isEqualTo(written);
    }

    /** Whoever fences after the look finds the row, and leaves it. */
    @Test
    void looksOnceAtWhatARowShows() {
        fixture.insert(fans, fan("Wien"));
        long written = writtenAt();
        fixture.change(fans, fan("Graz"));
        fence(written + 1);

        fixture.change(fans, fan("Linz"));

        assertThat(writtenAt()).isEqualTo(written);
    }

    @Test
    @Waits
    void deletesARowAboveARestorationThatHasNotComeYet() {
        fixture.insert(fans, fan("Wien"));
        long late = WriteTimestamps.of(session).next() + 8_000_000; // after the lease
        ClaimKey value = WantedValue.keyOf(LOGIN, LOGIN.value(List.of(login)));
        Awaitility.await("the end of the insert's lease")
                .atMost(Duration.ofSeconds(10))
                .until(() -> fixture.store()
                                .protect(value, new Claim(owner(), UUID.randomUUID(), null, late))
                                .toCompletableFuture()
                                .join()
                        instanceof ClaimAnswer.Done);

        fixture.delete(fans, owner());
        fan("Wien").write(late).toCompletableFuture().join();

        assertThat(session.execute("SELECT id FROM fan WHERE id = " + id).one()).isNull();
        assertThat(fixture.findOwner(fans, LOGIN, login)).isEmpty();
    }

    private EntityWrite fan(String city) {
        return fixture.write(fans, "fan", "id", id, "login", login, "city", city);
    }

    private String owner() {
        return fans.owner(Map.of(CqlIdentifier.fromInternal("id"), id));
    }

    private long writtenAt() {
        return Objects.requireNonNull(session.execute("SELECT WRITETIME(login) FROM fan WHERE id = " + id)
                        .one())
                .getLong(0);
    }

    private void fence(long timestamp) {
        ClaimKey row = WantedValue.ofRow(fans.rowClaim().orElseThrow(), owner()).key();
        assertThat(fixture.store()
                        .note(row, new Claim(owner(), UUID.randomUUID(), null, timestamp))
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(ClaimAnswer.Done.class);
    }
}
