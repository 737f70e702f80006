package io.surewrite.unique.claims;

import static io.surewrite.unique.claims.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.claims.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.unique.ClaimsUnavailableException;
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
    void deletesAndFrees() {
        CompletableFuture<Void> delete = delete();
        long ahead = user.now() + 5_000;
        user.next("read 1").shows(ShownRow.of("1", "a", ahead));
        Sent deletion = user.next("delete 1");
        assertThat(deletion.timestamp).isEqualTo(ahead + 1);
        deletion.done();
        Sent release = user.next("release login 1:a");
        assertThat(release.timestamp).isEqualTo(ahead + 1);
        release.done();
        assertThat(delete).isCompleted();
    }

    @Test
    void deletesNothingThatIsNotThere() {
        CompletableFuture<Void> delete = delete();
        user.next("read 1").shows(ShownRow.absent("1"));
        assertThat(delete).isCompleted();
        CompletableFuture<Void> blind = delete();
        user.failsForGood("read 1");
        assertThatThrownBy(blind::join).hasCauseInstanceOf(ClaimsUnavailableException.class);
        user.nothingSent();
    }

    @Test
    void deletesAgainWithTheSameTimestamp() {
        CompletableFuture<Void> delete = delete();
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        Sent deletion = user.next("delete 1");
        assertThat(deletion.timestamp).isEqualTo(user.now());
        deletion.fails(Sent.lost());
        Sent again = user.nextAfter(FIRST_PAUSE, "delete 1");
        assertThat(again.timestamp).isEqualTo(deletion.timestamp);
        user.clock.freeze(LONG);
        again.fails(Sent.neverSent());
        assertThatThrownBy(delete::join).hasCauseInstanceOf(UnknownOutcomeException.class);
    }

    @Test
    void saysWhatIsWrongWithADeletion() {
        CompletableFuture<Void> delete = delete();
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        RuntimeException wrong = Sent.wrong();
        user.next("delete 1").fails(wrong);
        assertThatThrownBy(delete::join).hasCause(wrong);
        CompletableFuture<Void> after = delete();
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        user.next("delete 1").fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "delete 1").fails(wrong);
        assertThatThrownBy(after::join).hasCauseInstanceOf(UnknownOutcomeException.class);
        CompletableFuture<Void> late = delete();
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        Sent deletion = user.next("delete 1");
        user.clock.freeze(LONG);
        deletion.fails(Sent.neverSent());
        assertThatThrownBy(late::join).hasCauseInstanceOf(ClaimsUnavailableException.class);
    }

    @Test
    void deletesWhatWasClaimedAgainMeanwhile() {
        CompletableFuture<Void> delete = delete();
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        Sent deletion = user.next("delete 1");
        deletion.done();
        long again = deletion.timestamp + 70_000;
        user.next("release login 1:a").refused(settled("1", again));
        user.nextAfter(FIRST_PAUSE, "read 1").shows(ShownRow.absent("1"));
        Sent second = user.next("delete 1");
        assertThat(second.timestamp).isEqualTo(again + 1);
        second.done();
        user.next("release login 1:a").done();
        assertThat(delete).isCompleted();
    }

    @Test
    void doesNotKnowWhetherTheValueIsFree() {
        CompletableFuture<Void> delete = delete();
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        user.next("delete 1").done();
        user.next("release login 1:a").fails(Sent.lost());
        assertThatThrownBy(delete::join).hasCauseInstanceOf(UnknownOutcomeException.class);
        CompletableFuture<Void> late = delete();
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        Sent deletion = user.next("delete 1");
        user.clock.freeze(LONG);
        deletion.done();
        user.next("release login 1:a").refused(settled("1", deletion.timestamp));
        assertThatThrownBy(late::join).hasCauseInstanceOf(UnknownOutcomeException.class);
    }
}
