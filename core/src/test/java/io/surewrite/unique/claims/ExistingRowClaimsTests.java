package io.surewrite.unique.claims;

import static io.surewrite.unique.claims.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.claims.ScriptedGuard.LOGIN;
import static io.surewrite.unique.claims.ScriptedGuard.reserved;
import static io.surewrite.unique.claims.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import io.surewrite.unique.claims.ExistingRowClaims.Finding;
import io.surewrite.unique.claims.ExistingRowClaims.ScannedClaim;
import io.surewrite.unique.claims.ExistingRowClaims.Twins;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a row that was there before the constraint gets its claim beside a writer at work, answer by answer. */
class ExistingRowClaimsTests {

    private static final String RAISE = "raise login 1:a";
    private static final String CREATE = "create login 1:a";
    private static final String JOIN = "join login 1:a";
    private static final String LOOK = "look at login 1:a";
    private static final String READ = "read 1";
    private static final ShownRow ROW = ShownRow.of("1", "a", 10);

    private final ScriptedGuard user = new ScriptedGuard();
    private final List<Finding> findings = new ArrayList<>();
    private final List<Twins> duplicates = new ArrayList<>();

    private ExistingRowClaims claims() {
        return new ExistingRowClaims(user.guard.parts(), user.rows, LOGIN, findings::add, twins -> {
            duplicates.add(twins);
            return Stages.done();
        });
    }

    private CompletableFuture<Void> claim() {
        return claims().claim(ROW, ROW.value(LOGIN).orElseThrow()).toCompletableFuture();
    }

    private CompletableFuture<Void> repair(ShownRow row) {
        return claims().check(row, row.value(LOGIN).orElseThrow(), true).toCompletableFuture();
    }

    private CompletableFuture<Void> audit() {
        return claims().check(ROW, ROW.value(LOGIN).orElseThrow(), false).toCompletableFuture();
    }

    // ---- build

    @Test
    void claimsAtTheTimeOfTheValue() {
        CompletableFuture<Void> claimed = claim();
        Sent raise = user.next(RAISE);
        assertThat(raise.claim().owner()).isEqualTo("1");
        assertThat(raise.timestamp).isEqualTo(10);
        raise.refused(null);
        Sent create = user.next(CREATE);
        assertThat(create.timestamp).isEqualTo(10);
        create.done();
        assertThat(claimed).isCompleted();
        assertThat(findings).containsExactly(Finding.CLAIMED);
        user.nothingSent();
    }

    @Test
    void joinsAClaimThatAWriterMayWithdraw() {
        CompletableFuture<Void> claimed = claim();
        SeenClaim writers = reserved("1", 50);
        user.next(RAISE).refused(writers);
        assertThat(findings).isEmpty();
        Sent join = user.next(JOIN);
        assertThat(join.seen).isEqualTo(writers.claim().claimId());
        join.done();
        assertThat(claimed).isCompleted();
        assertThat(findings).containsExactly(Finding.CLAIMED);
    }

    /** The row 2 carries the value, too. */
    private void isADuplicate() {
        user.next(RAISE).refused(settled("2", 5));
        user.next(LOOK).finds(settled("2", 5));
        user.next("read 2").shows(ShownRow.of("2", "a", 5));
        user.next(LOOK).finds(settled("2", 5));
    }

    @Test
    void reportsARowWhoseValueAnotherRowHas() {
        CompletableFuture<Void> claimed = claim();
        isADuplicate();
        user.among("read 2").shows(ShownRow.of("2", "a", 5));
        user.next(READ).shows(ROW);
        assertThat(claimed).isCompleted();
        assertThat(duplicates).containsExactly(new Twins("1:a", "2", "1"));
        assertThat(findings).isEmpty();
    }

    // ---- repair and audit

    @Test
    void asksNoMoreWhereTheClaimIsThatOfTheValue() {
        CompletableFuture<Void> repaired = repair(ROW);
        user.next(LOOK).finds(reserved("1", 10));
        assertThat(repaired).isCompleted();
        user.nothingSent();
    }

    /** Its writer may still live: a call goes on for longer than a reservation. */
    @Test
    void repairJoinsItWhereTheReservationIsOverToo() {
        CompletableFuture<Void> repaired = repair(ROW);
        user.next(LOOK).finds(settled("1", 50));
        user.next(READ).shows(ROW);
        user.next(RAISE).refused(settled("1", 50));
        user.next(JOIN).done();
        assertThat(repaired).isCompleted();
    }

    /** The row that the scan showed is older than the claim. */
    @Test
    void repairTrustsAClaimWhoseWriterHasSentTheRowMeanwhile() {
        CompletableFuture<Void> repaired = repair(ROW);
        user.next(LOOK).finds(reserved("1", 50));
        user.next(READ).shows(ShownRow.of("1", "a", 50));
        assertThat(repaired).isCompleted();
        assertThat(findings).isEmpty();
        user.nothingSent();
    }

    @Test
    void repairsAClaimThatIsOlderThanTheValue() {
        ShownRow row = ShownRow.of("1", "a", 50);
        CompletableFuture<Void> repaired = repair(row);
        user.next(LOOK).finds(settled("1", 10));
        user.next(READ).shows(row);
        Sent raise = user.next(RAISE);
        assertThat(raise.timestamp).isEqualTo(50);
        assertThat(repaired).isNotCompleted();
        raise.done();
        assertThat(repaired).isCompleted();
        assertThat(findings).containsExactly(Finding.MISSING, Finding.CLAIMED);
    }

    @Test
    void auditWaitsForAWriterWhoMayWithdrawItsClaim() {
        CompletableFuture<Void> audited = audit();
        user.next(LOOK).finds(reserved("1", 50));
        user.next(READ).shows(ROW);
        Sent again = user.nextAfter(FIRST_PAUSE, LOOK);
        assertThat(audited).isNotCompleted();
        again.finds(null);
        user.next(READ).shows(ROW);
        assertThat(audited).isCompleted();
        assertThat(findings).containsExactly(Finding.MISSING);
    }

    @Test
    void auditCountsAClaimWhoseReservationIsOver() {
        CompletableFuture<Void> audited = audit();
        user.next(LOOK).finds(settled("1", 50));
        assertThat(audited).isCompleted();
        assertThat(findings).isEmpty();
        user.nothingSent();
    }

    // ---- claims without a row

    private CompletableFuture<Void> checkClaim(SeenClaim seen, boolean fixes) {
        return claims().checkClaim(new ScannedClaim(new ClaimKey("login", "1:a"), seen), fixes)
                .toCompletableFuture();
    }

    @Test
    void repairRemovesAClaimThatHasNoRowAsATakeoverDoes() {
        SeenClaim orphan = settled("1", 50);
        CompletableFuture<Void> checked = checkClaim(orphan, true);
        user.next(READ).shows(ShownRow.absent("1"));
        user.next(LOOK).finds(orphan);
        user.next(READ).shows(ShownRow.absent("1"));
        Sent fence = user.next("fence row of user 1");
        assertThat(fence.timestamp).isEqualTo(51);
        fence.done();
        user.next("read to restore 1").shows(ShownRow.absent("1"));
        Sent delete = user.next("delete 1");
        assertThat(delete.timestamp).isEqualTo(50);
        delete.done();
        Sent withdraw = user.next("withdraw login 1:a");
        assertThat(withdraw.id).isEqualTo(orphan.claim().claimId());
        withdraw.done();
        assertThat(checked).isCompleted();
        assertThat(findings).containsExactly(Finding.ORPHAN, Finding.FREED);
        assertThat(user.events).as("nobody has claimed it").containsExactly("taken over login, DELETED");
    }

    @Test
    void repairLeavesAnOrphanThatSomebodyClaimsMeanwhile() {
        SeenClaim orphan = settled("1", 50);
        CompletableFuture<Void> checked = checkClaim(orphan, true);
        user.next(READ).shows(ShownRow.absent("1"));
        user.next(LOOK).finds(orphan);
        user.next(READ).shows(ShownRow.of("1", "z", 51));
        user.next("withdraw login 1:a").refused(reserved("1", 60));
        assertThat(checked).isCompleted();
        assertThat(findings).containsExactly(Finding.ORPHAN);
    }
}
