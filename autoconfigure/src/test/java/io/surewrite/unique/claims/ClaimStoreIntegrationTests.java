package io.surewrite.unique.claims;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.Waits;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the simulated table of claims is modelled on: every statement applied, rejected, and run a second time. */
class ClaimStoreIntegrationTests extends CassandraTest {

    private static final UUID OTHER = UUID.randomUUID();

    private static UniqueFixture fixture;

    private final ClaimKey key = new ClaimKey("constraint", "5:" + UUID.randomUUID());
    private final Claim first = new Claim("row", UUID.randomUUID(), UUID.randomUUID(), 10);
    private final Claim second = new Claim("row", UUID.randomUUID(), null, 20);

    @BeforeAll
    static void createTable() {
        fixture = new UniqueFixture(session, UniqueListener.NONE);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void createsAClaimOnceAndShowsItWholeToOthers() {
        applied(fixture.store().create(key, first));
        applied(fixture.store().create(key, first));
        SeenClaim seen = seenBy(fixture.store().create(key, new Claim("rival", OTHER, OTHER, 15)));
        assertThat(seen.claim()).isEqualTo(first);
        assertThat(seen.leased()).isTrue();
        assertThat(seen.contested()).isFalse();
        SeenClaim read = await(fixture.store().read(key)).orElseThrow();
        assertThat(read.claim()).isEqualTo(first);
        assertThat(read.leaseLeft()).isPositive();
    }

    @Test
    @Waits
    void leavesTheClaimWhenTheLeaseIsOver() throws Exception {
        applied(fixture.store().create(key, first));
        Thread.sleep(2_100);
        Row row = row();
        assertThat(row.isNull("lease")).isTrue();
        assertThat(row.getUuid("claim_id")).isEqualTo(first.claimId());
        assertThat(row.getLong("write_ts")).isEqualTo(10);
        assertThat(await(fixture.store().read(key)).orElseThrow().leased()).isFalse();
        assertThat(seenBy(fixture.store().create(key, second)).leased()).isFalse();
    }

    @Test
    void replacesExactlyTheClaimThatWasSeen() {
        applied(fixture.store().create(key, first));
        applied(fixture.store().replace(key, first, second));
        applied(fixture.store().replace(key, first, second));
        assertThat(row().getUuid("origin_id")).isEqualTo(first.originId());
        SeenClaim seen = seenBy(fixture.store().replace(key, first, new Claim("row", OTHER, null, 30)));
        assertThat(seen.claim()).isEqualTo(new Claim("row", second.claimId(), null, 20));
    }

    @Test
    void replacesNothingWhereThereIsNothing() {
        assertThat(await(fixture.store().replace(key, first, second))).isEqualTo(new ClaimAnswer.Refused(null));
        assertThat(await(fixture.store().mark(key, first, OTHER))).isEqualTo(new ClaimAnswer.Refused(null));
        assertThat(await(fixture.store().protect(key, second))).isEqualTo(new ClaimAnswer.Refused(null));
        assertThat(await(fixture.store().release(key, "row", 100))).isEqualTo(new ClaimAnswer.Refused(null));
        assertThat(await(fixture.store().abandon(key, OTHER))).isEqualTo(new ClaimAnswer.Refused(null));
        assertThat(await(fixture.store().settle(key, OTHER))).isEqualTo(new ClaimAnswer.Refused(null));
        assertThat(await(fixture.store().read(key))).isEmpty();
        assertThat(row()).isNull();
    }

    @Test
    void marksOnlyAClaimWithoutALease() {
        applied(fixture.store().create(key, first));
        assertThat(await(fixture.store().mark(key, first, OTHER))).isInstanceOf(ClaimAnswer.Refused.class);
        applied(fixture.store().settle(key, first.claimId()));
        applied(fixture.store().mark(key, first, OTHER));
        applied(fixture.store().mark(key, first, OTHER));
        SeenClaim marked = await(fixture.store().read(key)).orElseThrow();
        assertThat(marked.claim()).isEqualTo(new Claim("row", OTHER, first.originId(), 10));
        assertThat(marked.contested()).isTrue();
        assertThat(marked.leased()).isTrue();
        applied(fixture.store().replace(key, new Claim("row", OTHER, null, 10), second));
        assertThat(await(fixture.store().read(key)).orElseThrow().contested()).isFalse();
    }

    @Test
    void marksForHalfALeaseAndNoLessThanTwoSeconds() {
        assertThat(CassandraClaimStore.leaseOfMark(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(2));
        assertThat(CassandraClaimStore.leaseOfMark(Duration.ofSeconds(5))).isEqualTo(Duration.ofSeconds(2));
        assertThat(CassandraClaimStore.leaseOfMark(Duration.ofSeconds(6))).isEqualTo(Duration.ofSeconds(3));
        assertThat(CassandraClaimStore.leaseOfMark(Duration.ofSeconds(20))).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void protectsOnlyItsOwnersFreeClaimAndNeverLowersItsTimestamp() {
        applied(fixture.store().create(key, first));
        SeenClaim busy = seenBy(fixture.store().protect(key, second));
        assertThat(busy.leased()).isTrue();
        assertThat(busy.isOf("row")).isTrue();
        applied(fixture.store().settle(key, first.claimId()));
        applied(fixture.store().protect(key, second));
        applied(fixture.store().protect(key, second));
        applied(fixture.store().settle(key, second.claimId()));
        assertThat(seenBy(fixture.store().protect(key, new Claim("row", OTHER, null, 20)))
                        .isOf("row"))
                .isTrue();
        SeenClaim higher = seenBy(fixture.store().protect(key, new Claim("row", OTHER, null, 19)));
        assertThat(higher.claim().writeTs()).isEqualTo(20);
        assertThat(higher.leased()).isFalse();
        assertThat(seenBy(fixture.store().protect(key, new Claim("rival", OTHER, null, 30)))
                        .isOf("row"))
                .isTrue();
    }

    @Test
    void notesAndRaisesWithoutALease() {
        applied(fixture.store().note(key, second));
        applied(fixture.store().note(key, second));
        SeenClaim noted = await(fixture.store().read(key)).orElseThrow();
        assertThat(noted.claim()).isEqualTo(second);
        assertThat(noted.leased()).isFalse();
        assertThat(seenBy(fixture.store().note(key, new Claim("row", OTHER, null, 30)))
                        .claim())
                .isEqualTo(second);
        assertThat(seenBy(fixture.store().raise(key, new Claim("row", OTHER, null, 20)))
                        .claim()
                        .writeTs())
                .isEqualTo(20);
        assertThat(seenBy(fixture.store().raise(key, new Claim("rival", OTHER, null, 30)))
                        .isOf("row"))
                .isTrue();
        Claim higher = new Claim("row", UUID.randomUUID(), null, 30);
        applied(fixture.store().raise(key, higher));
        applied(fixture.store().raise(key, higher));
        SeenClaim raised = await(fixture.store().read(key)).orElseThrow();
        assertThat(raised.claim()).isEqualTo(higher);
        assertThat(raised.leased()).isFalse();
    }

    @Test
    void raisesNothingThatIsLeasedOrNotThere() {
        assertThat(await(fixture.store().raise(key, second))).isEqualTo(new ClaimAnswer.Refused(null));
        assertThat(row()).isNull();
        applied(fixture.store().create(key, first));
        assertThat(seenBy(fixture.store().raise(key, second)).leased()).isTrue();
    }

    @Test
    void releasesByTimestampAndAbandonsById() {
        applied(fixture.store().create(key, first));
        assertThat(seenBy(fixture.store().release(key, "row", 10)).claim().writeTs())
                .isEqualTo(10);
        assertThat(seenBy(fixture.store().release(key, "rival", 11)).isOf("row"))
                .isTrue();
        applied(fixture.store().release(key, "row", 11));
        assertThat(row()).isNull();
        applied(fixture.store().create(key, first));
        assertThat(await(fixture.store().abandon(key, OTHER))).isInstanceOf(ClaimAnswer.Refused.class);
        applied(fixture.store().abandon(key, first.claimId()));
        assertThat(row()).isNull();
    }

    private static void applied(CompletionStage<ClaimAnswer> answer) {
        assertThat(await(answer)).isEqualTo(new ClaimAnswer.Done());
    }

    private static SeenClaim seenBy(CompletionStage<ClaimAnswer> answer) {
        assertThat(await(answer)).isInstanceOf(ClaimAnswer.Refused.class);
        return ((ClaimAnswer.Refused) await(answer)).seen();
    }

    private Row row() {
        return session.execute(
                        "SELECT * FROM surewrite_claim WHERE constraint_name = ? AND value = ?",
                        key.constraint(),
                        key.value())
                .one();
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
