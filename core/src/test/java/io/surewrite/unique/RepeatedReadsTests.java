package io.surewrite.unique;

import static io.surewrite.unique.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.ScriptedGuard.LOGIN;
import static io.surewrite.unique.ScriptedGuard.USABLE;
import static io.surewrite.unique.ScriptedGuard.failureOf;
import static io.surewrite.unique.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** One request without an answer does not end a call that still has time. */
class RepeatedReadsTests {

    private static final Duration SECOND_PAUSE = FIRST_PAUSE.multipliedBy(2);

    private final ScriptedGuard user = new ScriptedGuard();

    private CompletableFuture<Void> change() {
        return user.guard.changeAsync(user.rows, user.user("1", "a")).toCompletableFuture();
    }

    private CompletableFuture<Void> insert() {
        return user.guard.insertAsync(user.rows, user.user("1", "a")).toCompletableFuture();
    }

    @Test
    void readsARowUntilItIsShown() {
        CompletableFuture<Void> delete = user.guard.deleteAsync(user.rows, "1").toCompletableFuture();
        user.next("read 1").fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "read 1").fails(Sent.neverSent());
        user.nextAfter(SECOND_PAUSE, "read 1").shows(ShownRow.absent("1"));
        user.next("delete 1").done();
        assertThat(delete).isCompleted();
    }

    @Test
    void looksAtAClaimUntilItIsShown() {
        CompletableFuture<Void> change = change();
        user.next("raise login 1:a").refused(settled("2", 40));
        user.next("look at login 1:a").fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "look at login 1:a").finds(null);
        user.next("raise login 1:a").done();
        user.next("write").done();
        assertThat(change).isCompleted();
    }

    @Test
    void looksAtAFenceUntilItIsShown() {
        CompletableFuture<Void> insert = insert();
        Sent create = user.next("create login 1:a");
        user.clock.freeze(USABLE);
        create.done();
        user.next("write").done();
        user.next("look at fence of row of user 1").fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "look at fence of row of user 1").isFencedAt(RowSnapshot.NEVER);
        assertThat(insert).isCompleted();
    }

    @Test
    void killsAgainWhatItRestores() {
        CompletableFuture<Void> insert = insertAfterSomebody(ShownRow.of("2", "z", 30));
        user.next("protect login 1:z").done();
        Sent restored = user.next("restore 2");
        restored.fails(Sent.lost());
        Sent again = user.nextAfter(FIRST_PAUSE, "restore 2");
        assertThat(again.timestamp).isEqualTo(restored.timestamp);
        again.done();
        user.next("take login 1:a").done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    /** The value is another's, whose writer is gone; its row is read once before the fence and once after. */
    private CompletableFuture<Void> insertAfterSomebody(ShownRow row) {
        CompletableFuture<Void> insert = insert();
        user.next("create login 1:a").refused(settled("2", 40));
        user.next("read 2").shows(row);
        user.next("fence row of user 2").done();
        user.next("read to restore 2").fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "read to restore 2").shows(row);
        return insert;
    }

    // ---- what helps no more

    @Test
    void saysWhatIsWrongWithAClaim() {
        CompletableFuture<Void> insert = insert();
        RuntimeException wrong = Sent.wrong();
        user.next("create login 1:a").fails(wrong);
        user.next("withdraw login 1:a").fails(wrong);
        assertThat(failureOf(insert)).isSameAs(wrong);
        assertThat(user.events).containsExactly("insert FAILED after PT0S");
    }

    // ---- search

    @Test
    void findsTheOwnerOfAValue() {
        CompletableFuture<Optional<String>> owner = find();
        user.next("look at login 1:a").fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "look at login 1:a").finds(settled("1", 50));
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        assertThat(owner).isCompletedWithValue(Optional.of("1"));
    }

    private CompletableFuture<Optional<String>> find() {
        return user.guard
                .findOwnerAsync(user.rows, LOGIN, ScriptedGuard.valueOf(LOGIN, "a"))
                .toCompletableFuture();
    }
}
