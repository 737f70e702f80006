package io.surewrite.unique.claims;

import static io.surewrite.unique.claims.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.claims.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.unique.ClaimsUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One request without an answer does not end a call that still has time. */
class RepeatedReadsTests {

    private static final Duration SECOND_PAUSE = FIRST_PAUSE.multipliedBy(2);

    private final ScriptedGuard user = new ScriptedGuard();

    private CompletableFuture<Void> change() {
        return user.guard.changeAsync(user.rows, user.user("1", "a")).toCompletableFuture();
    }

    @Test
    void readsARowUntilItIsShown() {
        CompletableFuture<Void> change = change();
        user.next("read 1").fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "read 1").fails(Sent.neverSent());
        user.nextAfter(SECOND_PAUSE, "read 1").shows(ShownRow.of("1", "a", 50));
        user.among("look at row of user 1").finds(null);
        user.next("look at login 1:a").fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "look at login 1:a").finds(settled("1", 50));
        user.next("write others").done();
        assertThat(change).isCompleted();
    }

    @ParameterizedTest
    @ValueSource(strings = {"read 1", "look at login 1:a"})
    void saysWhatIsWrongForEver(String request) {
        CompletableFuture<Void> change = change();
        RuntimeException wrong = Sent.wrong();
        if (!request.startsWith("read")) {
            user.next("read 1").shows(ShownRow.of("1", "a", 50));
            user.among("look at row of user 1").finds(null);
        }
        user.next(request).fails(wrong);
        assertThatThrownBy(change::join).hasCause(wrong);
        user.nothingSent();
    }

    @Test
    void saysWhatIsWrongForEverWithAClaim() {
        RuntimeException wrong = Sent.wrong();
        CompletableFuture<Void> insert =
                user.guard.insertAsync(user.rows, user.user("1", "a")).toCompletableFuture();
        user.next("create login 1:a").fails(wrong);
        assertThatThrownBy(insert::join).hasCause(wrong);
        assertThat(user.events).containsExactly("insert FAILED after PT0S");
    }

    @Test
    void deletesAgainWhatItFences() {
        CompletableFuture<Void> insert = insertAfterSomebody(ShownRow.absent("2"));
        user.next("raise row of user 2").done();
        user.next("read 2").shows(ShownRow.absent("2"));
        Sent fence = user.next("delete 2");
        fence.fails(Sent.lost());
        Sent again = user.nextAfter(FIRST_PAUSE, "delete 2");
        assertThat(again.timestamp).isEqualTo(fence.timestamp);
        again.done();
        user.next("replace login 1:a").done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void restoresAgainWhatItFences() {
        CompletableFuture<Void> insert = insertAfterSomebody(ShownRow.of("2", "z", 30));
        user.among("protect login 1:z").done();
        user.next("protect row of user 2").done();
        user.next("read to restore 2").fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "read to restore 2").shows(ShownRow.of("2", "z", 30));
        Sent restored = user.next("restore 2");
        restored.fails(Sent.lost());
        Sent again = user.nextAfter(FIRST_PAUSE, "restore 2");
        assertThat(again.timestamp).isEqualTo(restored.timestamp);
        again.done();
        user.next("replace login 1:a").done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    /** The value is another's, whose writer is gone; its row is read once before the mark and once after. */
    private CompletableFuture<Void> insertAfterSomebody(ShownRow row) {
        CompletableFuture<Void> insert =
                user.guard.insertAsync(user.rows, user.user("1", "a")).toCompletableFuture();
        user.next("create login 1:a").refused(settled("2", 40));
        user.next("read 2").shows(row);
        user.next("mark login 1:a").done();
        user.next("read 2").shows(row);
        return insert;
    }

    @Test
    void looksForAnOwnerUntilTheTimeIsOver() {
        CompletableFuture<Optional<String>> owner = user.guard
                .findOwnerAsync(user.rows, ScriptedGuard.LOGIN, ScriptedGuard.valueOf(ScriptedGuard.LOGIN, "a"))
                .toCompletableFuture();
        user.next("look at login 1:a").fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "look at login 1:a").finds(settled("1", 50));
        user.failsForGood("read 1");
        assertThatThrownBy(owner::join).hasCauseInstanceOf(ClaimsUnavailableException.class);
    }
}
