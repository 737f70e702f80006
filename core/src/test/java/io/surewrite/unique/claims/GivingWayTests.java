package io.surewrite.unique.claims;

import static io.surewrite.unique.claims.ScriptedGuard.EMAIL;
import static io.surewrite.unique.claims.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.claims.ScriptedGuard.LOGIN;
import static io.surewrite.unique.claims.ScriptedGuard.leased;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.unique.DuplicateValueException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a call gives back while it waits for a value, answer by answer; an email ranks before a login. */
class GivingWayTests {

    private static final String EMAIL_OF_A = "email 6:a@host";
    private static final String LOGIN_OF_A = "login 1:a";

    private final ScriptedGuard user = new ScriptedGuard().with(LOGIN, EMAIL);

    private CompletableFuture<Void> insert() {
        return user.guard.insertAsync(user.rows, user.user("1", "a")).toCompletableFuture();
    }

    /** Another row's writer is at work on it: its row does not show it yet. */
    private void isPending(Sent create) {
        create.refused(leased("2", user.now()));
        user.next("read 2").shows(ShownRow.absent("2"));
    }

    @Test
    void givesBackWhatRanksBehindAndClaimsItAgainUnderANewIdAtTheSameTimestamp() {
        CompletableFuture<Void> insert = insert();
        Sent login = user.among("create " + LOGIN_OF_A);
        login.done();
        isPending(user.next("create " + EMAIL_OF_A));
        Sent back = user.next("abandon " + LOGIN_OF_A);
        assertThat(back.id).isEqualTo(login.claim().claimId());
        back.done();
        Sent email = user.nextAfter(FIRST_PAUSE, "create " + EMAIL_OF_A);
        email.done();
        Sent again = user.next("create " + LOGIN_OF_A);
        assertThat(again.claim().claimId()).isNotEqualTo(login.claim().claimId());
        assertThat(again.claim().writeTs()).isEqualTo(login.claim().writeTs());
        assertThat(email.claim().writeTs()).isEqualTo(login.claim().writeTs());
        again.done();
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(login.claim().writeTs());
        write.done();
        assertThat(insert).isCompleted();
    }

    @Test
    void keepsWhatRanksBefore() {
        CompletableFuture<Void> insert = insert();
        user.among("create " + EMAIL_OF_A).done();
        isPending(user.next("create " + LOGIN_OF_A));
        user.nextAfter(FIRST_PAUSE, "create " + LOGIN_OF_A).done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void keepsWhatTheRowHadBefore() {
        CompletableFuture<Void> insert = insert();
        Sent login = user.among("create " + LOGIN_OF_A);
        login.refused(ScriptedGuard.settled("1", login.claim().writeTs() - 1));
        user.among("replace " + LOGIN_OF_A).done();
        isPending(user.next("create " + EMAIL_OF_A));
        user.nextAfter(FIRST_PAUSE, "create " + EMAIL_OF_A).done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void risesAboveWhatItDoesNotKnowToHaveGivenBack() {
        CompletableFuture<Void> insert = insert();
        Sent login = user.among("create " + LOGIN_OF_A);
        login.done();
        isPending(user.next("create " + EMAIL_OF_A));
        user.next("abandon " + LOGIN_OF_A).fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "create " + EMAIL_OF_A).done();
        user.next("create " + LOGIN_OF_A).refused(new ClaimStore.SeenClaim(login.claim(), false, true));
        Sent email = user.among("create " + EMAIL_OF_A);
        assertThat(email.claim().writeTs()).isEqualTo(login.claim().writeTs() + 1);
        assertThat(insert).isNotCompleted();
    }

    /** A rise takes all claims for such as are held. What is then refused to another row is none, and the row must not be sent. */
    @Test
    void claimsTheOthersAfterTheFirstAlsoWhereItRoseBefore() {
        CompletableFuture<Void> insert = insert();
        Sent login = user.among("create " + LOGIN_OF_A);
        login.refused(ScriptedGuard.settled("1", login.claim().writeTs() + 5));
        user.next("create " + EMAIL_OF_A).done();
        user.among("create " + LOGIN_OF_A).refused(leased("2", user.now()));
        user.among("read 2").shows(ShownRow.absent("2"));
        user.among("create " + EMAIL_OF_A).refused(leased("2", user.now()));
        user.next("read 2").shows(ShownRow.absent("2"));
        user.nextAfter(FIRST_PAUSE.multipliedBy(2), "create " + EMAIL_OF_A).done();
        user.among("create " + LOGIN_OF_A).done();
        assertThat(insert).isNotCompleted();
    }

    @Test
    void leavesNothingWhenItIsRefusedAfterItHasGivenBack() {
        CompletableFuture<Void> insert = insert();
        user.among("create " + LOGIN_OF_A).done();
        isPending(user.next("create " + EMAIL_OF_A));
        user.next("abandon " + LOGIN_OF_A).done();
        user.nextAfter(FIRST_PAUSE, "create " + EMAIL_OF_A).refused(leased("2", user.now()));
        user.next("read 2").shows(ShownRow.of("2", "a", 5));
        assertThatThrownBy(insert::join).hasCauseInstanceOf(DuplicateValueException.class);
        user.nothingSent();
    }
}
