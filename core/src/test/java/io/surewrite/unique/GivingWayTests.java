package io.surewrite.unique;

import static io.surewrite.unique.ScriptedGuard.EMAIL;
import static io.surewrite.unique.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.ScriptedGuard.LOGIN;
import static io.surewrite.unique.ScriptedGuard.failureOf;
import static io.surewrite.unique.ScriptedGuard.reserved;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a call does while a value is another's who is at work, answer by answer; an email ranks before a login. */
class GivingWayTests {

    private static final String EMAIL_OF_A = "email 6:a@host";
    private static final String LOGIN_OF_A = "login 1:a";

    private final ScriptedGuard user = new ScriptedGuard().with(LOGIN, EMAIL);

    /** Another row's writer is at work on it: its row does not show it yet. */
    private void isPending(Sent create) {
        create.refused(reserved("2", user.now()));
        user.next("read 2").shows(ShownRow.absent("2"));
    }

    /** Created the login; the email was pending, and the login is withdrawn. */
    private Sent waits() {
        Sent login = user.among("create " + LOGIN_OF_A);
        login.done();
        isPending(user.next("create " + EMAIL_OF_A));
        Sent withdraw = user.next("withdraw " + LOGIN_OF_A);
        assertThat(withdraw.id).isEqualTo(login.claim().claimId());
        withdraw.done();
        return login;
    }

    @Test
    void withdrawsWaitsAndDrawsAnewAndThenClaimsOneByOne() {
        CompletableFuture<Void> insert = user.insert();
        Sent before = waits();
        Sent email = user.nextAfter(FIRST_PAUSE, "create " + EMAIL_OF_A);
        assertThat(email.claim().writeTs())
                .isEqualTo(user.now())
                .isGreaterThan(before.claim().writeTs());
        assertThat(email.claim().claimId()).isNotEqualTo(before.claim().claimId());
        assertThat(email.claim().originId()).isEqualTo(before.claim().originId());
        email.done();
        Sent login = user.next("create " + LOGIN_OF_A);
        assertThat(login.claim()).isEqualTo(email.claim());
        login.done();
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(email.claim().writeTs());
        write.done();
        assertThat(insert).isCompleted();
    }

    @Test
    void isPendingWhenItHasWaitedForAsLongAsItMay() {
        CompletableFuture<Void> insert = user.insert();
        user.among("create " + LOGIN_OF_A).done();
        Sent email = user.next("create " + EMAIL_OF_A);
        user.clock.freeze(Duration.ofSeconds(1));
        isPending(email);
        user.next("look at " + EMAIL_OF_A).finds(reserved("2", 5));
        user.next("withdraw " + LOGIN_OF_A).done();
        assertThat(failureOf(insert))
                .isInstanceOfSatisfying(
                        ClaimPendingException.class,
                        pending -> assertThat(pending.timeLeft()).isEqualTo(Duration.ofSeconds(7)));
        assertThat(user.events).endsWith("insert PENDING after PT1S");
    }
}
