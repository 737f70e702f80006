package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.lease.LeaseStore.LeaseAnswer;
import io.surewrite.lease.LeaseStore.LeaseRow;
import io.surewrite.lease.LeaseStore.LeaseWrite;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a process remembers of a name, and how it leaves the name to others. */
class NameMemoryTests {

    private static final long COURTESY = 100;

    private final NameMemory memory = new NameMemory();

    private static LeaseWrite claim(long expected, long next) {
        return new LeaseWrite("item:1", UUID.randomUUID(), expected, next, "me", Duration.ofSeconds(30), 0, false, 0);
    }

    /** Holds the name for so long, and says for how long it is left alone then. */
    private long courtesyAfter(long from, long to) {
        memory.left(from, to, COURTESY);
        return memory.courtesyLeft(to);
    }

    @Test
    void knowsTheHighestEpochThoughTheTableWasEmptied() {
        memory.saw(new LeaseRow(7, null, null, Duration.ZERO, 0));
        memory.saw(new LeaseRow(5, null, null, Duration.ZERO, 0));
        assertThat(memory.epoch()).isEqualTo(7);
        memory.refused(new LeaseAnswer.Refused(0, null));
        assertThat(memory.epoch()).isZero();
        assertThat(memory.highestEpoch()).isEqualTo(7);
        memory.acquired(claim(0, 9));
        assertThat(memory.epoch()).isEqualTo(9);
        assertThat(memory.highestEpoch()).isEqualTo(9);
    }

    @Test
    void isCourteousForThreeTurnsAfterItSawAnother() {
        memory.sawRival();
        assertThat(courtesyAfter(1_000, 1_010)).isEqualTo(COURTESY);
        assertThat(memory.courtesyLeft(1_060)).isEqualTo(50);
        assertThat(memory.courtesyLeft(1_110)).isZero();
        assertThat(memory.courtesyLeft(2_000)).isZero();
        memory.acquired(claim(0, 3));
        assertThat(courtesyAfter(2_000, 2_010)).isEqualTo(COURTESY);
        memory.acquired(claim(3, 6));
        assertThat(courtesyAfter(3_000, 3_010)).isEqualTo(COURTESY);
        memory.acquired(claim(6, 8));
        assertThat(courtesyAfter(4_000, 4_010)).isZero();
        memory.acquired(claim(8, 10));
        assertThat(courtesyAfter(5_000, 5_010)).isZero();
    }

    @Test
    void isCourteousAgainAfterSomebodyInBetween() {
        memory.acquired(claim(5, 8));
        assertThat(courtesyAfter(1_000, 1_010)).isZero();
        memory.acquired(claim(11, 14));
        assertThat(courtesyAfter(2_000, 2_010)).isEqualTo(COURTESY);
        NameMemory emptied = new NameMemory();
        emptied.acquired(claim(0, 3));
        emptied.acquired(claim(4, 7));
        emptied.left(10, 20, COURTESY);
        assertThat(emptied.courtesyLeft(20)).isEqualTo(COURTESY);
    }

    @Test
    void isCourteousUnaskedAfterLongHoldsInARow() {
        memory.acquired(claim(0, 3));
        assertThat(courtesyAfter(1_000, 2_000)).isZero();
        assertThat(courtesyAfter(2_099, 3_098)).isZero();
        assertThat(courtesyAfter(3_100, 3_101)).isEqualTo(COURTESY);
        assertThat(courtesyAfter(3_102, 4_102)).isZero();
        // Not in a row: others had time enough.
        assertThat(courtesyAfter(4_202, 5_202)).isZero();
        assertThat(courtesyAfter(5_203, 6_203)).isEqualTo(COURTESY);
    }

    @Test
    void remembersTheLastAttemptsThatNobodyWaitsFor() {
        UUID first = UUID.randomUUID();
        memory.abandon(first);
        for (int i = 1; i < 40; i++) {
            memory.abandon(UUID.randomUUID());
        }
        assertThat(memory.isAbandoned(first)).isTrue();
        UUID last = UUID.randomUUID();
        memory.abandon(last);
        assertThat(memory.isAbandoned(first)).isFalse();
        assertThat(memory.isAbandoned(last)).isTrue();
        assertThat(memory.isAbandoned(UUID.randomUUID())).isFalse();
    }
}
