package io.surewrite.unique.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.cql.WriteScope;
import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.UniqueSettings;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer;
import io.surewrite.unique.claims.GuardCall.Pin;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** For how long the timestamps of a call are good. */
class PinnedTimestampsTests {

    private static final UniqueSettings SETTINGS = ScriptedGuard.SETTINGS;
    private static final long USABLE = new UniqueRules(SETTINGS).deadline(0);

    private final Clock clock = new Clock();

    @Test
    void aTimestampThatRisesLivesNoLonger() {
        GuardCall call = call();
        Pin first = call.pinFirst(RowSnapshot.NEVER);
        clock.passes(USABLE / 2);
        Pin second = call.pinAbove(first.timestamp() + 7);
        assertThat(second.timestamp()).isEqualTo(first.timestamp() + 8);
        assertThat(call.isLate()).isFalse();
        clock.passes(USABLE / 2);
        assertThat(call.isLate()).isTrue();
    }

    @Test
    void takesTheTimestampOfAYoungScope() {
        WriteScope scope = WriteScope.at(clock.nextTimestamp());
        clock.passes(USABLE - 1_000_000);
        assertThat(scope.call(() -> call().pinFirst(RowSnapshot.NEVER)).timestamp())
                .isEqualTo(scope.timestamp());
    }

    @Test
    void takesAnotherWhereTheScopeHasGrownOldBeforeItsFirstUse() {
        WriteScope scope = WriteScope.at(clock.nextTimestamp());
        clock.passes(USABLE);
        assertThat(scope.call(() -> call().pinFirst(RowSnapshot.NEVER)).timestamp())
                .isGreaterThanOrEqualTo(scope.timestamp() + USABLE / 1_000);
    }

    @Test
    void writesOtherColumnsAtTheTimeOfTheScopeWhileItIsYoung() {
        WriteScope scope = WriteScope.at(clock.nextTimestamp());
        clock.passes(USABLE / 2);
        assertThat(scope.call(() -> call().decidedAt())).isEqualTo(scope.timestamp());
        clock.passes(USABLE);
        assertThat(scope.call(() -> call().decidedAt())).isEqualTo(clock.nextTimestamp());
    }

    @Test
    void isOverWhenAPauseWouldTakeItBeyondItsTime() {
        GuardCall call = call();
        long timeout = SETTINGS.timeout().toNanos();
        clock.passes(timeout / 2);
        assertThat(call.waited()).isEqualTo(timeout / 2);
        assertThat(call.isOver(timeout - timeout / 2 - 1)).isFalse();
        assertThat(call.isOver(timeout - timeout / 2)).isTrue();
    }

    @Test
    void pausesLongerFromRoundToRound() {
        GuardCall call = call();
        assertThat(call.nextPause()).isEqualTo(15_000_000);
        assertThat(call.nextPause()).isEqualTo(30_000_000);
        assertThat(call.nextPause()).isEqualTo(60_000_000);
        for (int i = 0; i < 10; i++) {
            call.nextPause();
        }
        assertThat(call.nextPause()).isEqualTo(375_000_000);
    }

    @Test
    void isLateInAPauseThatTakesItBeyondTheDeadline() {
        GuardCall call = call();
        call.pinFirst(RowSnapshot.NEVER);
        clock.passes(USABLE / 2);
        assertThat(call.isLateIn(USABLE - USABLE / 2 - 1)).isFalse();
        assertThat(call.isLateIn(USABLE - USABLE / 2)).isTrue();
    }

    @Test
    void pinsAgainAboveAllBefore() {
        GuardCall call = call();
        Pin at = call.pinAt(clock.nextTimestamp() + 50);
        assertThat(at).isEqualTo(call.pin());
        assertThat(at.deadline()).isEqualTo(clock.nanos() + USABLE);
        clock.passes(1_000);
        Pin again = call.pinAgain(clock.nextTimestamp() + 70, 0);
        assertThat(again).isEqualTo(call.pin());
        assertThat(again.timestamp()).isEqualTo(clock.nextTimestamp() + 71);
        assertThat(again.claimId()).isNotEqualTo(at.claimId());
        assertThat(again.deadline()).isEqualTo(clock.nanos() + USABLE);
        assertThat(call.pinAgain(0, 10).timestamp()).isEqualTo(again.timestamp() + 11);
        clock.passes(1_000_000);
        assertThat(call.pinAgain(0, 10).timestamp()).isEqualTo(clock.nextTimestamp() + 10);
    }

    @Test
    void keepsCallersApartThatSawTheSameRow() {
        long floor = clock.nextTimestamp() + 1_000_000;
        Pin pin = call().pinFirst(floor);
        assertThat(pin.timestamp() - floor).isEqualTo(pin.claimId().hashCode() & 1023);
    }

    @Test
    void saysWhatIsUnknown() {
        GuardCall call = call();
        clock.passes(7_000_000);
        IllegalStateException cause = new IllegalStateException("no answer");
        assertThat(call.noAnswer(cause))
                .isInstanceOf(ClaimsUnavailableException.class)
                .hasMessage("test: no clear answer after 7 ms; the row was not written. Calling it again is safe")
                .hasCause(cause);
        call.rowSent(true);
        assertThat(call.noAnswer(cause))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasMessageStartingWith("test: given up after 7 ms; the row may be written")
                .hasCause(cause);
        assertThat(call.operation).isEqualTo("test");
        assertThat(call.askClaims(claims -> {
                            throw cause;
                        })
                        .toCompletableFuture()
                        .join())
                .isEqualTo(new ClaimAnswer.Unclear(cause));
    }

    private GuardCall call() {
        GuardParts parts = new GuardParts(
                null,
                clock,
                new UniqueRules(SETTINGS),
                SETTINGS,
                new ScopePins(0),
                new FenceCheckedRows(),
                ReportedDuplicates.NONE,
                UUID::randomUUID,
                () -> 0.5,
                UniqueListener.NONE);
        return GuardCall.unheard(parts, null, "test", "row");
    }

    private static final class Clock implements UniqueTime {

        private long nanos = Duration.ofDays(20_000).toNanos();

        void passes(long howLong) {
            nanos += howLong;
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long nextTimestamp() {
            return nanos / 1_000;
        }

        @Override
        public void after(long howLong, Runnable task) {
            throw new UnsupportedOperationException();
        }
    }
}
