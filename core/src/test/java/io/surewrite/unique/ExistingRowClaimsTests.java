package io.surewrite.unique;

import static io.surewrite.unique.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.ScriptedGuard.LOGIN;
import static io.surewrite.unique.ScriptedGuard.reserved;
import static io.surewrite.unique.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ClaimStore.SeenClaim;
import io.surewrite.unique.ExistingRowClaims.Finding;
import io.surewrite.unique.ExistingRowClaims.ScannedClaim;
import io.surewrite.unique.ExistingRowClaims.Twins;
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
    private final List<Twins> duplicates = new ArrayList<>();

    private ExistingRowClaims claims(boolean repairs) {
        return new ExistingRowClaims(user.guard.parts(), user.rows, LOGIN, repairs, twins -> {
            duplicates.add(twins);
            return Stages.done();
        });
    }

    private CompletableFuture<Finding> repair(ShownRow row) {
        return check(row, true);
    }

    private CompletableFuture<Finding> audit() {
        return check(ROW, false);
    }

    private CompletableFuture<Finding> check(ShownRow row, boolean repairs) {
        return claims(repairs).check(row, row.value(LOGIN).orElseThrow()).toCompletableFuture();
    }

    // ---- a row that was there before the constraint

    @Test
    void claimsAtTheTimeOfTheValue() {
        CompletableFuture<Finding> claimed = repair(ROW);
        user.next(LOOK).finds(null);
        user.next(READ).shows(ROW);
        Sent create = user.next(CREATE);
        assertThat(create.claim().owner()).isEqualTo("1");
        assertThat(create.timestamp).isEqualTo(10);
        assertThat(claimed).isNotCompleted();
        create.done();
        assertThat(claimed).isCompletedWithValue(Finding.CLAIMED);
        user.nothingSent();
    }

    @Test
    void auditLeavesItWithoutAClaim() {
        CompletableFuture<Finding> audited = audit();
        user.next(LOOK).finds(null);
        user.next(READ).shows(ROW);
        assertThat(audited).isCompletedWithValue(Finding.MISSING);
        user.nothingSent();
    }

    @Test
    void claimsNothingForAValueThatTheRowHasLostMeanwhile() {
        CompletableFuture<Finding> checked = repair(ROW);
        user.next(LOOK).finds(null);
        user.next(READ).shows(ShownRow.of("1", "z", 20));
        assertThat(checked).isCompletedWithValue(Finding.RIGHT);
        user.nothingSent();
    }

    /** The row 2 carries the value, too. */
    @Test
    void reportsARowWhoseValueAnotherRowHas() {
        CompletableFuture<Finding> checked = repair(ROW);
        user.next(LOOK).finds(settled("2", 5));
        user.next(READ).shows(ROW);
        user.next("read 2").shows(ShownRow.of("2", "a", 5));
        assertThat(checked).isCompletedWithValue(Finding.DUPLICATE);
        assertThat(duplicates).containsExactly(new Twins("1:a", "2", "1"));
        user.nothingSent();
    }

    /** Between the look at the claim and the claim itself. */
    @Test
    void looksAgainWhereAnotherRowTakesTheValueMeanwhile() {
        CompletableFuture<Finding> checked = repair(ROW);
        user.next(LOOK).finds(null);
        user.next(READ).shows(ROW);
        user.next(CREATE).refused(reserved("2", 50));
        user.next("read 2").shows(ShownRow.absent("2"));
        Sent again = user.nextAfter(FIRST_PAUSE, LOOK);
        assertThat(checked).isNotCompleted();
        again.finds(reserved("2", 50));
        user.next(READ).shows(ROW);
        user.next("read 2").shows(ShownRow.of("2", "a", 50));
        assertThat(checked).isCompletedWithValue(Finding.DUPLICATE);
        assertThat(duplicates).containsExactly(new Twins("1:a", "2", "1"));
    }

    // ---- a row that was claimed

    @Test
    void asksNoMoreWhereTheClaimIsThatOfTheValue() {
        CompletableFuture<Finding> repaired = repair(ROW);
        user.next(LOOK).finds(reserved("1", 10));
        assertThat(repaired).isCompletedWithValue(Finding.RIGHT);
        user.nothingSent();
    }

    /** Its writer may still live: a call goes on for longer than a reservation. */
    @Test
    void repairJoinsItWhereTheReservationIsOverToo() {
        CompletableFuture<Finding> repaired = repair(ROW);
        SeenClaim writers = settled("1", 50);
        user.next(LOOK).finds(writers);
        user.next(READ).shows(ROW);
        user.next(RAISE).refused(writers);
        Sent join = user.next(JOIN);
        assertThat(join.seen).isEqualTo(writers.claim().claimId());
        join.done();
        assertThat(repaired).isCompletedWithValue(Finding.RIGHT);
    }

    /** The row that the scan showed is older than the claim. */
    @Test
    void repairTrustsAClaimWhoseWriterHasSentTheRowMeanwhile() {
        CompletableFuture<Finding> repaired = repair(ROW);
        user.next(LOOK).finds(reserved("1", 50));
        user.next(READ).shows(ShownRow.of("1", "a", 50));
        assertThat(repaired).isCompletedWithValue(Finding.RIGHT);
        user.nothingSent();
    }

    @Test
    void repairsAClaimThatIsOlderThanTheValue() {
        ShownRow row = ShownRow.of("1", "a", 50);
        CompletableFuture<Finding> repaired = repair(row);
        user.next(LOOK).finds(settled("1", 10));
        user.next(READ).shows(row);
        user.next(CREATE).refused(settled("1", 10));
        Sent raise = user.next(RAISE);
        assertThat(raise.timestamp).isEqualTo(50);
        assertThat(repaired).isNotCompleted();
        raise.done();
        assertThat(repaired).isCompletedWithValue(Finding.CLAIMED);
    }

    @Test
    void auditWaitsForAWriterWhoMayWithdrawItsClaim() {
        CompletableFuture<Finding> audited = audit();
        user.next(LOOK).finds(reserved("1", 50));
        user.next(READ).shows(ROW);
        Sent again = user.nextAfter(FIRST_PAUSE, LOOK);
        assertThat(audited).isNotCompleted();
        again.finds(null);
        user.next(READ).shows(ROW);
        assertThat(audited).isCompletedWithValue(Finding.MISSING);
    }

    @Test
    void auditCountsAClaimWhoseReservationIsOver() {
        CompletableFuture<Finding> audited = audit();
        user.next(LOOK).finds(settled("1", 50));
        assertThat(audited).isCompletedWithValue(Finding.RIGHT);
        user.nothingSent();
    }

    // ---- claims without a row

    private CompletableFuture<Finding> checkClaim(SeenClaim seen, boolean repairs) {
        return claims(repairs)
                .checkClaim(new ScannedClaim(new ClaimKey("login", "1:a"), seen))
                .toCompletableFuture();
    }

    @Test
    void auditLeavesAClaimThatHasNoRow() {
        SeenClaim orphan = settled("1", 50);
        CompletableFuture<Finding> checked = checkClaim(orphan, false);
        user.next(READ).shows(ShownRow.absent("1"));
        user.next(LOOK).finds(orphan);
        assertThat(checked).isCompletedWithValue(Finding.ORPHAN);
        user.nothingSent();
    }

    @Test
    void asksNothingAboutAClaimWhoseWriterMayBeAtWork() {
        assertThat(checkClaim(reserved("1", 50), true)).isCompletedWithValue(Finding.RIGHT);
        user.nothingSent();
    }

    @Test
    void repairRemovesAClaimThatHasNoRowAsATakeoverDoes() {
        SeenClaim orphan = settled("1", 50);
        CompletableFuture<Finding> checked = checkClaim(orphan, true);
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
        assertThat(checked).isCompletedWithValue(Finding.FREED);
    }

    @Test
    void repairLeavesAnOrphanThatSomebodyClaimsMeanwhile() {
        SeenClaim orphan = settled("1", 50);
        CompletableFuture<Finding> checked = checkClaim(orphan, true);
        user.next(READ).shows(ShownRow.absent("1"));
        user.next(LOOK).finds(orphan);
        user.next(READ).shows(ShownRow.of("1", "z", 51));
        user.next("withdraw login 1:a").refused(reserved("1", 60));
        assertThat(checked).isCompletedWithValue(Finding.RIGHT);
    }
}
