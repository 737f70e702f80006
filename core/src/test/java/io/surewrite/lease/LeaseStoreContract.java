package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.lease.LeaseStore.LeaseAnswer;
import io.surewrite.lease.LeaseStore.LeaseRow;
import io.surewrite.lease.LeaseStore.LeaseWrite;
import io.surewrite.simulation.Patience;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What leases rely on: every statement applied, refused, and run a second time. */
abstract class LeaseStoreContract {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    final String name = "item:" + UUID.randomUUID();
    private final UUID another = UUID.randomUUID();

    /** {@return a table with no row of {@link #name}} */
    abstract LeaseStore store();

    abstract Patience patience();

    @Test
    void acquiresANameThatHasNoRow() {
        assertThat(row()).isEqualTo(LeaseRow.ABSENT);
        LeaseWrite claim = claim(0, 5);
        done(acquire(claim));
        LeaseRow row = row();
        assertThat(row).isEqualTo(new LeaseRow(5, claim.leaseId(), "me", row.remaining(), claim.reserved()));
        assertThat(row.remaining()).isBetween(Duration.ofSeconds(1), claim.ttl());
        assertThat(row.remaining().toNanosPart()).as("whole seconds").isZero();
    }

    @Test
    void refusesAnotherEpochAndShowsTheRightOne() {
        refused(acquire(claim(7, 12)), 0, null);
        LeaseWrite first = claim(0, 5);
        done(acquire(first));
        refused(acquire(claim(5, 10)), 5, first.leaseId());
        done(release(first.leaseId(), 1));
        refused(acquire(claim(0, 5)), 5, null);
        done(acquire(claim(5, 10)));
    }

    @Test
    void takesARepeatedAcquisitionForTheFirstAndAppliesItOnce() {
        LeaseWrite claim = claim(0, 5);
        done(acquire(claim));
        done(acquire(claim));
        done(release(claim.leaseId(), 1));
        assertThat(acquire(claim)).as("late").isEqualTo(new LeaseAnswer.Refused(5, null, null));
    }

    @Test
    void carriesTheHighestTimestampFromHoldToHold() {
        LeaseWrite first = claim(0, 5, 0, false, 900);
        done(acquire(first));
        assertThat(row().writeTs()).as("reserved").isEqualTo(900);
        done(release(first.leaseId(), 700));
        assertThat(row().writeTs()).as("left behind").isEqualTo(700);

        assertThat(acquire(claim(5, 10, 699, true, 2_000)))
                .as("the clock is behind that of the last holder")
                .isEqualTo(new LeaseAnswer.Refused(5, null, 700L));
        LeaseWrite second = claim(5, 10, 700, true, 2_000);
        done(acquire(second));
        LeaseWrite renewed = again(second, second.ttl(), 3_000);
        done(renew(renewed, second.leaseId()));
        assertThat(row().writeTs()).as("reserved by the renewal").isEqualTo(3_000);
        assertThat(acquire(claim(10, 15, 5_000, true, 9_000)))
                .isEqualTo(new LeaseAnswer.Refused(10, renewed.leaseId(), 3_000L));
    }

    /** Nothing is less than null, nor greater. */
    @Test
    void confirmsNoTimestampToARowThatIsNotThere() {
        refused(acquire(claim(0, 5, 1_000, true, 2_000)), 0, null);
        assertThat(row()).isEqualTo(LeaseRow.ABSENT);
    }

    @Test
    void leavesTheEpochAndWhatWasReservedWhenALeaseEndsByItself() {
        LeaseWrite claim = lasting(claim(0, 5), Duration.ofSeconds(2));
        done(acquire(claim));
        patience().until(() -> row().leaseId() == null);
        assertThat(row()).isEqualTo(new LeaseRow(5, null, null, Duration.ZERO, claim.reserved()));
        refused(renew(again(claim), claim.leaseId()), 0, null);
        refused(release(claim.leaseId(), 1), 0, null);
        assertThat(acquire(claim(5, 10, claim.reserved() - 1, true, 2_000)))
                .isEqualTo(new LeaseAnswer.Refused(5, null, claim.reserved()));
        done(acquire(claim(5, 10)));
    }

    @Test
    void beginsTheTtlAnewWithARenewalAndKeepsWhoHolds() {
        LeaseWrite claim = lasting(claim(0, 5), Duration.ofSeconds(5));
        done(acquire(claim));
        LeaseWrite longer = again(claim, Duration.ofMinutes(10), claim.reserved());
        done(renew(longer, claim.leaseId()));
        LeaseRow row = row();
        assertThat(row.remaining()).isBetween(Duration.ofSeconds(400), Duration.ofMinutes(10));
        assertThat(row).isEqualTo(new LeaseRow(5, longer.leaseId(), "me", row.remaining(), claim.reserved()));
        LeaseWrite shorter = again(claim, Duration.ofMinutes(1), claim.reserved());
        done(renew(shorter, longer.leaseId()));
        assertThat(row().remaining()).isLessThanOrEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void takesARepeatedRenewalForTheFirstAndRefusesALateOne() {
        LeaseWrite claim = claim(0, 5);
        done(acquire(claim));
        LeaseWrite late = again(claim);
        LeaseWrite renewed = again(claim);
        done(renew(renewed, claim.leaseId(), late.leaseId()));
        done(renew(renewed, claim.leaseId(), late.leaseId()));
        refused(renew(late, claim.leaseId()), 0, renewed.leaseId());
        done(release(Set.of(late.leaseId(), renewed.leaseId()), 1));
        assertThat(row().leaseId()).isNull();
        refused(renew(late, renewed.leaseId()), 0, null);
    }

    @Test
    void releasesAndRenewsNothingOfAnother() {
        LeaseWrite claim = claim(0, 5);
        done(acquire(claim));
        refused(release(another, 1), 0, claim.leaseId());
        refused(renew(again(claim), another), 0, claim.leaseId());
        assertThat(row().leaseId()).isEqualTo(claim.leaseId());
        assertThat(row().writeTs()).isEqualTo(claim.reserved());
    }

    @Test
    void releasesOnceAndLeavesTheEpochAndTheHighestTimestamp() {
        LeaseWrite claim = claim(0, 5);
        done(acquire(claim));
        done(release(claim.leaseId(), 800));
        assertThat(row()).isEqualTo(new LeaseRow(5, null, null, Duration.ZERO, 800));
        refused(release(claim.leaseId(), 900), 0, null);
        assertThat(row().writeTs()).isEqualTo(800);
    }

    private LeaseWrite claim(long epoch, long next) {
        return claim(epoch, next, 0, false, 1_000);
    }

    private LeaseWrite claim(long epoch, long next, long floor, boolean checksFloor, long reserved) {
        return new LeaseWrite(
                name, UUID.randomUUID(), epoch, next, "me", Duration.ofSeconds(30), floor, checksFloor, reserved);
    }

    private static LeaseWrite again(LeaseWrite claim) {
        return again(claim, claim.ttl(), claim.reserved());
    }

    private static LeaseWrite again(LeaseWrite claim, Duration ttl, long reserved) {
        return claim.replacedBy(UUID.randomUUID(), ttl, reserved);
    }

    private static LeaseWrite lasting(LeaseWrite claim, Duration ttl) {
        return claim.replacedBy(claim.leaseId(), ttl, claim.reserved());
    }

    private LeaseRow row() {
        return patience().await(store().read(name));
    }

    private LeaseAnswer acquire(LeaseWrite claim) {
        return patience().await(store().acquire(claim, TIMEOUT));
    }

    private LeaseAnswer renew(LeaseWrite next, UUID... held) {
        return patience().await(store().renew(Set.of(held), next, TIMEOUT));
    }

    private LeaseAnswer release(UUID held, long writeTs) {
        return release(Set.of(held), writeTs);
    }

    private LeaseAnswer release(Set<UUID> held, long writeTs) {
        return patience().await(store().release(name, held, writeTs, TIMEOUT));
    }

    private static void done(LeaseAnswer answer) {
        assertThat(answer).isEqualTo(new LeaseAnswer.Done());
    }

    /** A refusal shows the columns of the statement's condition alone. */
    private static void refused(LeaseAnswer answer, long epoch, @Nullable UUID leaseId) {
        assertThat(answer).isEqualTo(new LeaseAnswer.Refused(epoch, leaseId, null));
    }
}
