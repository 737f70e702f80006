package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.Waits;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimAnswer;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows with keys that are longer than what can be claimed: their values are unique all the same. */
@LongLane
class LongKeysIntegrationTests extends CassandraTest {

    private static final UniqueConstraint TITLE = UniqueConstraint.on("long_title", "title");

    private static UniqueFixture fixture;
    private static CqlRows rows;

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE IF NOT EXISTS page (address text PRIMARY KEY, title text, words text)");
        fixture = new UniqueFixture(session, ObservationRegistry.NOOP);
        rows = fixture.rows("page", TITLE);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    private static EntityWrite page(String address, String title, String words) {
        return fixture.write(rows, "page", "address", address, "title", title, "words", words);
    }

    private static String owner(String address) {
        return rows.owner(Map.of(CqlIdentifier.fromInternal("address"), address));
    }

    @ParameterizedTest
    @ValueSource(ints = {UniqueValue.MAX_BYTES / 3 - 60, UniqueValue.MAX_BYTES + 100})
    void changesAndDeletesThem(int length) {
        String id = UUID.randomUUID().toString();
        String address = id + "x".repeat(length - id.length());
        fixture.change(rows, page(address, "first " + id, "words"));
        fixture.change(rows, page(address, "second " + id, "words"));
        fixture.change(rows, page(address, "second " + id, "other words"));
        assertThat(fixture.findOwner(rows, TITLE, "second " + id)).contains(owner(address));
        assertThatThrownBy(() -> fixture.change(rows, page("short " + UUID.randomUUID(), "second " + id, "words")))
                .isInstanceOf(DuplicateValueException.class);
        fixture.delete(rows, owner(address));
        fixture.change(rows, page("short " + UUID.randomUUID(), "second " + id, "words"));
    }

    @Test
    void hashesTheKeyOfARowThatIsLongerThanAClaimCanBe() {
        String longest = "x".repeat(UniqueValue.MAX_BYTES / 3);
        assertThat(WantedValue.ofRow(rows, longest).value()).isEqualTo(longest);
        assertThat(WantedValue.ofRow(rows, longest + "x").value())
                .hasSizeLessThan(80)
                .isNotEqualTo(WantedValue.ofRow(rows, longest + "y").value());
    }

    /** Which fences that row. */
    @Test
    @Waits
    void takesAValueOverThatSuchARowWasToGet() {
        String id = UUID.randomUUID().toString();
        String address = id + "x".repeat(UniqueValue.MAX_BYTES);
        String wanted = "wanted " + id;
        fixture.insert(rows, page(address, "first " + id, "words"));
        long late = WriteTimestamps.of(session).next();
        assertThat(fixture.store()
                        .create(
                                WantedValue.keyOf(TITLE, TITLE.value(List.of(wanted))),
                                new Claim(owner(address), UUID.randomUUID(), UUID.randomUUID(), late))
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(ClaimAnswer.Done.class);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .untilAsserted(() -> fixture.insert(rows, page("short " + id, wanted, "words")));

        page(address, wanted, "late").write(late).toCompletableFuture().join();
        assertThat(fixture.findOwner(rows, TITLE, "first " + id)).contains(owner(address));
        assertThat(fixture.store()
                        .readFence(WantedValue.ofRow(rows, owner(address)))
                        .toCompletableFuture()
                        .join())
                .isGreaterThan(late);
    }
}
