package io.surewrite.lease.tenure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What sweeps rely on. */
abstract class LeaseRowsContract {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final String name;

    /**
     * @param name one of which the table has no row
     */
    LeaseRowsContract(String name) {
        this.name = name;
    }

    /** {@return the table} */
    abstract LeaseStore store();

    /** {@return the same table} */
    abstract LeaseSweep.Rows rows();

    abstract Patience patience();

    @Test
    void raisesTheFloorAndNeverLowersIt() {
        long floor = floor();
        done(raise(floor, floor + 10));
        done(raise(floor, floor + 10));
        done(raise(floor, floor + 9));
        assertThat(floor()).isEqualTo(floor + 10);
        assertThat(raise(floor, floor + 11)).isEqualTo(new LeaseAnswer.Refused(floor + 10, null));
        done(raise(floor + 10, floor + 10));
        done(raise(floor + 10, floor + 11));
        assertThat(floor()).isEqualTo(floor + 11);
    }

    @Test
    void removesARowOnlyAtItsEpochAndOnlyIfItIsFree() {
        LeaseWrite claim = claim(0, 5);
        done(acquire(claim));
        assertThat(free()).isEmpty();
        assertThat(remove(5)).isEqualTo(new LeaseAnswer.Refused(5, claim.leaseId()));
        done(release(claim));
        assertThat(free()).extracting(LeaseSweep.Rows.FreeRow::epoch).containsExactly(5L);
        assertThat(remove(4)).isEqualTo(new LeaseAnswer.Refused(5, null));
        done(remove(5));
        assertThat(remove(5)).as("once more").isEqualTo(new LeaseAnswer.Refused(0, null));
        assertThat(free()).isEmpty();
        assertThat(patience().await(store().read(name))).isEqualTo(LeaseRow.ABSENT);
        LeaseWrite anew = claim(0, 7);
        done(acquire(anew));
        done(release(anew));
        done(remove(7));
    }

    /** A row is as old as the last write to it, whatever that was. */
    @Test
    void countsTheTimeSinceARowWasUsedLast() {
        LeaseWrite claim = claim(0, 5);
        done(acquire(claim));
        patience().until(() -> patience().await(store().read(name)).remaining().compareTo(Duration.ofSeconds(28)) <= 0);
        done(release(claim));
        assertThat(free().get(0).untouched()).isLessThan(Duration.ofMillis(1_900));
        done(remove(5));
    }

    private LeaseWrite claim(long epoch, long next) {
        return new LeaseWrite(name, UUID.randomUUID(), epoch, next, "me", null, Duration.ofSeconds(30), 0, false, 1);
    }

    private LeaseAnswer acquire(LeaseWrite claim) {
        return patience().await(store().acquire(claim, TIMEOUT));
    }

    private LeaseAnswer release(LeaseWrite claim) {
        return patience().await(store().release(name, Set.of(claim.leaseId()), 1, TIMEOUT));
    }

    private LeaseAnswer remove(long epoch) {
        return patience().await(rows().remove(name, epoch, TIMEOUT));
    }

    private LeaseAnswer raise(long expected, long floor) {
        return patience().await(rows().raiseFloor(expected, floor, TIMEOUT));
    }

    private long floor() {
        return patience().await(store().floor());
    }

    private List<LeaseSweep.Rows.FreeRow> free() {
        List<LeaseSweep.Rows.FreeRow> mine = new ArrayList<>();
        LeaseSweep.Rows.Page page = patience().await(rows().first());
        while (true) {
            page.free().stream().filter(row -> row.name().equals(name)).forEach(mine::add);
            if (page.next() == null) {
                return mine;
            }
            page = patience().await(page.next().get());
        }
    }

    private static void done(LeaseAnswer answer) {
        assertThat(answer).isEqualTo(new LeaseAnswer.Done());
    }
}
