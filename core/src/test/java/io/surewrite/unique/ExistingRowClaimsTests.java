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
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a row that was there before the constraint gets its claim beside a writer at work, answer by answer. */
class ExistingRowClaimsTests {

    private static final String LOOK = "look at login 1:a";
    private static final String READ = "read 1";
    private static final ShownRow ROW = ShownRow.of("1", "a", 10);

    private final ScriptedGuard user = new ScriptedGuard();

    private ExistingRowClaims claims(boolean repairs) {
        return new ExistingRowClaims(user.guard.parts(), user.rows, LOGIN, repairs, twins -> Stages.done());
    }

    @Test
    void auditWaitsForAWriterWhoMayWithdrawItsClaim() {
        CompletableFuture<Finding> audited =
                claims(false).check(ROW, ROW.value(LOGIN).orElseThrow()).toCompletableFuture();
        user.next(LOOK).finds(reserved("1", 50));
        user.next(READ).shows(ROW);
        Sent again = user.nextAfter(FIRST_PAUSE, LOOK);
        assertThat(audited).isNotCompleted();
        again.finds(null);
        user.next(READ).shows(ROW);
        assertThat(audited).isCompletedWithValue(Finding.MISSING);
    }

    @Test
    void repairLeavesAnOrphanThatSomebodyClaimsMeanwhile() {
        SeenClaim orphan = settled("1", 50);
        CompletableFuture<Finding> checked = claims(true)
                .checkClaim(new ScannedClaim(new ClaimKey("login", "1:a"), orphan))
                .toCompletableFuture();
        user.next(READ).shows(ShownRow.absent("1"));
        user.next(LOOK).finds(orphan);
        user.next(READ).shows(ShownRow.of("1", "z", 51));
        user.next("withdraw login 1:a").refused(reserved("1", 60));
        assertThat(checked).isCompletedWithValue(Finding.RIGHT);
    }
}
