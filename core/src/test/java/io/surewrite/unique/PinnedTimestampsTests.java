package io.surewrite.unique;

import static io.surewrite.unique.ScriptedGuard.USABLE;
import static io.surewrite.unique.ScriptedGuard.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.write.WriteScope;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/** For how long the timestamp of a call is good, drawn or pinned, and what is asked of the fence after that. */
class PinnedTimestampsTests {

    private static final String CREATE = "create login 1:a";
    private static final String FENCE = "look at fence of row of user 1";
    private static final long SKEW_MICROS = 500_000;

    private final ScriptedGuard user = new ScriptedGuard();

    private CompletableFuture<Void> insertAt(long timestamp) {
        return WriteScope.at(timestamp).call(user::insert);
    }

    private long longAgo() {
        return user.now() - USABLE.toNanos() / 1_000;
    }

    /** The row's write, which is on its way. */
    private Sent writes() {
        user.next(CREATE).done();
        return user.next("write");
    }

    /** The write of a row whose timestamp was late before; nothing has fenced the row. */
    private Sent writesLate() {
        user.next(CREATE).done();
        user.next(FENCE).isFencedAt(RowSnapshot.NEVER);
        return user.next("write");
    }

    @Test
    void isSupersededWhereATakeoverHasFencedTheRow() {
        CompletableFuture<Void> insert = user.insert();
        Sent write = writes();
        user.clock.freeze(USABLE);
        write.done();
        user.next(FENCE).isFencedAt(write.timestamp);
        user.next("read 1").shows(ShownRow.absent("1"));
        user.next(FENCE).isFencedAt(write.timestamp);
        assertThat(failureOf(insert)).isInstanceOf(SupersededException.class);
        user.nothingSent();
        assertThat(user.events).endsWith("insert SUPERSEDED after PT8.5S");
    }

    @Test
    void countsFromTheDrawAndNotFromTheSend() {
        CompletableFuture<Void> insert = user.insert();
        Sent create = user.next(CREATE);
        user.clock.freeze(USABLE);
        create.done();
        user.next("write").done();
        user.next(FENCE).isFencedAt(RowSnapshot.NEVER);
        assertThat(insert).isCompleted();
    }

    @Test
    void refusesATimestampOfTheFuture() {
        CompletableFuture<Void> insert = insertAt(user.now() + SKEW_MICROS + 1);
        assertThat(failureOf(insert))
                .isInstanceOf(InvalidDataAccessApiUsageException.class)
                .hasMessageContaining("500 ms ahead of the clock");
        user.nothingSent();
    }

    /** What it wrote, or did not, lies under that; but not if a second takeover has fenced the row and restored it meanwhile. */
    @ParameterizedTest
    @ValueSource(longs = {5, 6})
    void isDoneWhereTheRowShowsALaterOperationThanAnyTakeovers(long fence) {
        long pinned = longAgo();
        CompletableFuture<Void> insert = insertAt(pinned);
        writesLate().done();
        user.next(FENCE).isFencedAt(pinned + 5);
        user.next("read 1").shows(ShownRow.of("1", "b", pinned + 6));
        user.next(FENCE).isFencedAt(pinned + fence);
        if (fence == 5) {
            assertThat(insert).isCompleted();
        } else {
            assertThat(failureOf(insert)).isInstanceOf(SupersededException.class);
        }
    }

    @Test
    void sendsNoLateRowWhereATakeoverHasFencedIt() {
        long pinned = longAgo();
        CompletableFuture<Void> insert = insertAt(pinned);
        user.next(CREATE).done();
        user.next(FENCE).isFencedAt(pinned);
        user.next("read 1").shows(ShownRow.absent("1"));
        user.next(FENCE).isFencedAt(pinned);
        user.next("withdraw login 1:a").done();
        assertThat(failureOf(insert)).isInstanceOf(SupersededException.class);
        assertThat(user.events).endsWith("insert SUPERSEDED after PT0S");
    }

    @Test
    void allAttemptsInOneScopeHaveOneOriginAndIdsOfTheirOwn() {
        WriteScope scope = WriteScope.at(user.now());
        CompletableFuture<Void> earlier = scope.call(user::insert);
        Sent first = user.next(CREATE);
        CompletableFuture<Void> later = scope.call(user::insert);
        Sent second = user.next(CREATE);
        assertThat(second.claim().originId()).isEqualTo(first.claim().originId());
        assertThat(second.claim().claimId()).isNotEqualTo(first.claim().claimId());
        assertThat(earlier).isNotDone();
        assertThat(later).isNotDone();
    }
}
