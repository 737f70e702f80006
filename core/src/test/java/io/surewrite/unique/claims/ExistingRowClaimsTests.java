package io.surewrite.unique.claims;

import static io.surewrite.unique.claims.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.claims.ScriptedGuard.LOGIN;
import static io.surewrite.unique.claims.ScriptedGuard.leased;
import static io.surewrite.unique.claims.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import io.surewrite.unique.claims.ExistingRowClaims.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a row that was there before the constraint gets its claim beside a writer at work, answer by answer. */
class ExistingRowClaimsTests {

    private static final String CREATE = "create login 1:a";
    private static final String LOOK = "look at login 1:a";
    private static final String REPLACE = "replace login 1:a";
    private static final String READ = "read 1";

    private final ScriptedGuard user = new ScriptedGuard();
    private final List<Finding> findings = new ArrayList<>();

    private ExistingRowClaims claims() {
        return new ExistingRowClaims(user.guard.parts(), user.rows, LOGIN, findings::add, twins -> Stages.done());
    }

    private CompletableFuture<Void> claim(ShownRow row) {
        return claims().claim(row, row.value(LOGIN)).toCompletableFuture();
    }

    private CompletableFuture<Void> repair(ShownRow row) {
        return claims().check(row, row.value(LOGIN), true).toCompletableFuture();
    }

    private CompletableFuture<Void> audit(ShownRow row) {
        return claims().check(row, row.value(LOGIN), false).toCompletableFuture();
    }

    @Test
    void makesAClaimItsOwnThatAWriterMayGiveUp() {
        CompletableFuture<Void> claimed = claim(ShownRow.of("1", "a", 10));
        SeenClaim writers = leased("1", 50);
        user.next(CREATE).refused(writers);
        user.next(LOOK).finds(writers);
        assertThat(findings).isEmpty();
        Sent replace = user.next(REPLACE);
        assertThat(replace.seen).isEqualTo(writers.claim());
        assertThat(replace.claim().claimId()).isNotEqualTo(writers.claim().claimId());
        assertThat(replace.claim().writeTs()).isEqualTo(50);
        replace.done();
        assertThat(claimed).isCompleted();
        assertThat(findings).containsExactly(Finding.CLAIMED);
    }

    @Test
    void claimsAgainWhatTheWriterHasGivenUpMeanwhile() {
        CompletableFuture<Void> claimed = claim(ShownRow.of("1", "a", 10));
        SeenClaim writers = leased("1", 50);
        user.next(CREATE).refused(writers);
        user.next(LOOK).finds(writers);
        user.next(REPLACE).refused(null);
        user.nextAfter(FIRST_PAUSE, CREATE).done();
        assertThat(claimed).isCompleted();
        assertThat(findings).containsExactly(Finding.CLAIMED);
    }

    /** A takeover is about to fence it: who builds on the claim must see that. */
    @Test
    void leavesAContestedClaimAlone() {
        CompletableFuture<Void> claimed = claim(ShownRow.of("1", "a", 10));
        Claim marked = leased("1", 50).claim();
        user.next(CREATE).refused(new SeenClaim(marked, true, true));
        user.next(LOOK).finds(new SeenClaim(marked, true, true));
        Sent again = user.nextAfter(FIRST_PAUSE, CREATE);
        assertThat(claimed).isNotCompleted();
        again.done();
        assertThat(claimed).isCompleted();
    }

    /** Who claimed the value at the very timestamp that it has has sent the row. */
    @Test
    void asksNoMoreWhereTheClaimIsThatOfTheValue() {
        CompletableFuture<Void> claimed = claim(ShownRow.of("1", "a", 10));
        user.next(CREATE).refused(leased("1", 10));
        assertThat(claimed).isCompleted();
        assertThat(findings).containsExactly(Finding.CLAIMED);
        user.nothingSent();
    }

    // ---- repair and audit ----

    @Test
    void repairMakesAClaimTheRowsOwnThatAWriterMayGiveUp() {
        ShownRow row = ShownRow.of("1", "a", 10);
        CompletableFuture<Void> repaired = repair(row);
        SeenClaim writers = leased("1", 50);
        user.next(LOOK).finds(writers);
        user.next(READ).shows(row);
        user.next(CREATE).refused(writers);
        user.next(LOOK).finds(writers);
        Sent replace = user.next(REPLACE);
        assertThat(replace.seen).isEqualTo(writers.claim());
        assertThat(replace.claim().claimId()).isNotEqualTo(writers.claim().claimId());
        replace.done();
        assertThat(repaired).isCompleted();
        assertThat(findings).isEmpty();
    }

    /** Its writer may still live: a call goes on for longer than a lease. */
    @Test
    void repairMakesItTheRowsOwnWhereTheLeaseIsOverToo() {
        ShownRow row = ShownRow.of("1", "a", 10);
        CompletableFuture<Void> repaired = repair(row);
        SeenClaim writers = settled("1", 50);
        user.next(LOOK).finds(writers);
        user.next(READ).shows(row);
        user.next(CREATE).refused(writers);
        user.next(LOOK).finds(writers);
        user.next(REPLACE).done();
        assertThat(repaired).isCompleted();
    }

    /** The row that the scan showed is older than the claim. */
    @Test
    void repairTrustsAClaimWhoseWriterHasSentTheRowMeanwhile() {
        CompletableFuture<Void> repaired = repair(ShownRow.of("1", "a", 10));
        user.next(LOOK).finds(leased("1", 50));
        user.next(READ).shows(ShownRow.of("1", "a", 50));
        assertThat(repaired).isCompleted();
        assertThat(findings).isEmpty();
        user.nothingSent();
    }

    @Test
    void repairClaimsWhatTheWriterHasGivenUpMeanwhile() {
        ShownRow row = ShownRow.of("1", "a", 10);
        CompletableFuture<Void> repaired = repair(row);
        SeenClaim writers = leased("1", 50);
        user.next(LOOK).finds(writers);
        user.next(READ).shows(row);
        user.next(CREATE).done();
        assertThat(repaired).isCompleted();
        assertThat(findings).isEmpty();
    }

    @Test
    void auditWaitsForAWriterWhoMayGiveItsClaimUp() {
        ShownRow row = ShownRow.of("1", "a", 10);
        CompletableFuture<Void> audited = audit(row);
        user.next(LOOK).finds(leased("1", 50));
        user.next(READ).shows(row);
        Sent again = user.nextAfter(FIRST_PAUSE, LOOK);
        assertThat(audited).isNotCompleted();
        again.finds(null);
        user.next(READ).shows(row);
        assertThat(audited).isCompleted();
        assertThat(findings).containsExactly(Finding.MISSING);
    }

    @Test
    void auditCountsAClaimWhoseLeaseIsOver() {
        ShownRow row = ShownRow.of("1", "a", 10);
        CompletableFuture<Void> audited = audit(row);
        user.next(LOOK).finds(settled("1", 50));
        assertThat(audited).isCompleted();
        assertThat(findings).isEmpty();
        user.nothingSent();
    }

    @Test
    void checksNoFurtherWhereTheClaimIsThatOfTheValue() {
        CompletableFuture<Void> repaired = repair(ShownRow.of("1", "a", 10));
        user.next(LOOK).finds(leased("1", 10));
        assertThat(repaired).isCompleted();
        user.nothingSent();
    }

    @Test
    void repairsAClaimThatIsOlderThanTheValue() {
        ShownRow row = ShownRow.of("1", "a", 50);
        CompletableFuture<Void> repaired = repair(row);
        SeenClaim old = settled("1", 10);
        user.next(LOOK).finds(old);
        user.next(READ).shows(row);
        user.next(CREATE).refused(old);
        Sent replace = user.next(REPLACE);
        assertThat(replace.claim().writeTs()).isEqualTo(50);
        assertThat(repaired).isNotCompleted();
        replace.done();
        assertThat(repaired).isCompleted();
        assertThat(findings).containsExactly(Finding.MISSING, Finding.CLAIMED);
    }
}
