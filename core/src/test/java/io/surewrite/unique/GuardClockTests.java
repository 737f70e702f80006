package io.surewrite.unique;

import static io.surewrite.unique.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.ScriptedGuard.failureOf;
import static io.surewrite.unique.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.write.ClockOffsetException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the guard of unique values does while clocks are known to be wrong. */
class GuardClockTests {

    private final ScriptedGuard user = new ScriptedGuard();

    private static void assertRefused(CompletableFuture<Void> refused, String problem) {
        assertThat(failureOf(refused)).isInstanceOf(ClockOffsetException.class).hasMessageContaining(problem);
    }

    @Test
    void claimsNothingWhileClocksAreApart() {
        user.apart = "a second apart";
        assertRefused(user.insert(), "insert: refused");
        assertRefused(user.change("a"), "change: refused");
        user.nothingSent();
    }

    /** Its deadline would count by a clock that is wrong. */
    @Test
    void aDeletionIsLateWhileClocksAreApart() {
        user.apart = "a second apart";
        CompletableFuture<Void> done = user.delete();
        deleted().isFencedAt(user.now() - 1);
        user.next("release login 1:a").done();
        assertThat(done).isCompleted();
        CompletableFuture<Void> superseded = user.delete();
        deleted().isFencedAt(user.now());
        user.next("read 1").shows(ShownRow.absent("1"));
        user.next("look at fence of row of user 1").isFencedAt(user.now());
        assertThat(failureOf(superseded)).isInstanceOf(SupersededException.class);
        user.nothingSent();
    }

    /** {@return the look at the fence that follows} */
    private Sent deleted() {
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        user.next("delete 1").done();
        return user.next("look at fence of row of user 1");
    }

    @Test
    void takesNothingOverWhileClocksAreApart() {
        CompletableFuture<Void> insert = user.insert();
        user.next("create login 1:a").refused(settled("2", 40));
        user.apart = "a second apart";
        user.next("read 2").shows(ShownRow.absent("2"));
        user.nothingSent();
        user.apart = null;
        user.nextAfter(FIRST_PAUSE, "create login 1:a").refused(settled("2", 40));
        user.next("read 2").shows(ShownRow.absent("2"));
        user.apart = "a second apart";
        user.next("fence row of user 2").refused(settled("2", 7));
        user.nothingSent();
        assertThat(insert).isNotDone();
    }

    @Test
    void drawsTwoAboveTheLast() {
        UniqueTime time = UniqueTime.of(new io.surewrite.write.WriteTimestamps(() -> 100));
        assertThat(time.nextTimestamp()).isEqualTo(time.nextTimestamp() - 2);
    }

    /** Its clock was ten minutes ahead, and what it drew then stays so: others draw lower timestamps, and may be told done. */
    @Test
    void waitsForItsClockAndNotForWhatItHasDrawn() {
        user.lead = 600_000_000;
        CompletableFuture<Void> insert = user.insert();
        user.next("create login 1:a").refused(settled("2", user.now() + 500_000_000));
        user.next("read 2").shows(ShownRow.absent("2"));
        user.nothingSent();
        assertThat(insert).isNotDone();
    }
}
