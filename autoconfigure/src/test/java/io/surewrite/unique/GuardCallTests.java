package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.cql.WriteScope;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** For how long the timestamps of a call are good. */
class GuardCallTests {

    private static final UniqueSettings SETTINGS = UniqueSettings.defaults();
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

    private GuardCall call() {
        GuardParts parts = new GuardParts(
                null,
                clock,
                new UniqueRules(SETTINGS),
                SETTINGS,
                new ScopePins(0),
                new SettledRows(),
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
