package io.surewrite.unique;

import static io.surewrite.unique.ScriptedGuard.EMAIL;
import static io.surewrite.unique.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.ScriptedGuard.LOGIN;
import static io.surewrite.unique.ScriptedGuard.USABLE;
import static io.surewrite.unique.ScriptedGuard.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a deletion sends, and how it ends, answer by answer. */
class GuardedDeleteTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ScriptedGuard user = new ScriptedGuard();

    private CompletableFuture<Void> delete() {
        return user.guard.deleteAsync(user.rows, "1").toCompletableFuture();
    }

    @Test
    void deletesAboveWhatItReadAndReleasesTheValues() {
        user.with(LOGIN, EMAIL);
        CompletableFuture<Void> delete = delete();
        long ahead = user.now() + 5_000;
        user.next("read 1").shows(ShownRow.of("1", "a", ahead));
        Sent deletion = user.next("delete 1");
        assertThat(deletion.timestamp).isEqualTo(ahead + 1);
        deletion.done();
        Sent login = user.among("release login 1:a");
        Sent email = user.next("release email 6:a@host");
        assertThat(login.timestamp).isEqualTo(ahead + 1);
        login.done();
        assertThat(delete).isNotDone();
        email.done();
        assertThat(delete).isCompleted();
    }

    @Test
    void followsNoClockThatIsTooFarAhead() {
        CompletableFuture<Void> delete = delete();
        long farAhead = user.now() + 500_000;
        user.next("read 1").shows(ShownRow.of("1", "a", farAhead));
        assertThat(user.next("delete 1").timestamp).isEqualTo(user.now());
        assertThat(delete).isNotDone();
    }

    @Test
    void deletesARowThatItDidNotSee() {
        CompletableFuture<Void> delete = delete();
        Sent read = user.next("read 1");
        user.clock.advance(Duration.ofMillis(7));
        read.shows(ShownRow.absent("1"));
        Sent deletion = user.next("delete 1");
        assertThat(deletion.timestamp).as("drawn after the read").isEqualTo(user.now());
        deletion.done();
        assertThat(delete).isCompleted();
        user.nothingSent();
    }

    @Test
    void keepsAPinnedTimestampBelowWhatItRead() {
        long pinned = user.now();
        CompletableFuture<Void> delete = WriteScope.at(pinned).call(this::delete);
        user.next("read 1").shows(ShownRow.of("1", "a", pinned + 9));
        Sent deletion = user.next("delete 1");
        assertThat(deletion.timestamp).isEqualTo(pinned);
        deletion.done();
        assertThat(user.next("release login 1:a").timestamp).isEqualTo(pinned);
        assertThat(delete).isNotDone();
    }

    @Test
    void deletesNothingThatItCannotRead() {
        CompletableFuture<Void> delete = delete();
        user.failsForGood("read 1");
        assertThat(failureOf(delete)).isInstanceOf(ClaimsUnavailableException.class);
        user.nothingSent();
    }

    // ---- its answer

    @Test
    void deletesAgainWithTheSameTimestampUntilTheTimeIsOver() {
        CompletableFuture<Void> delete = delete();
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        Sent deletion = user.next("delete 1");
        deletion.fails(Sent.lost());
        Sent again = user.nextAfter(FIRST_PAUSE, "delete 1");
        assertThat(again.timestamp).isEqualTo(deletion.timestamp);
        user.clock.freeze(LONG);
        again.fails(Sent.neverSent());
        assertThat(failureOf(delete)).isInstanceOf(UnknownOutcomeException.class);
        user.nothingSent();
    }

    @Test
    void isSupersededWhereATakeoverHasFencedTheRow() {
        CompletableFuture<Void> delete = delete();
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        Sent deletion = user.next("delete 1");
        user.clock.freeze(USABLE);
        deletion.done();
        user.next("look at fence of row of user 1").isFencedAt(deletion.timestamp);
        user.next("read 1").shows(ShownRow.absent("1"));
        assertThat(failureOf(delete)).isInstanceOf(SupersededException.class);
        user.nothingSent();
    }
}
