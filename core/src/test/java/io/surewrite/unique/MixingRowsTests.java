package io.surewrite.unique;

import static io.surewrite.unique.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.ScriptedGuard.USABLE;
import static io.surewrite.unique.ScriptedGuard.failureOf;
import static io.surewrite.unique.ScriptedGuard.reserved;
import static io.surewrite.unique.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.write.WriteScope;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is sent where a constraint has several columns, so that no two writers of a row may have one timestamp. */
class MixingRowsTests {

    private static final String RAISE_ROW = "raise row of user 1";
    private static final String CREATE_ROW = "create row of user 1";
    private static final String RAISE = "raise login 1:a";

    private final ScriptedGuard user = new ScriptedGuard().whoseRowsMayMix();

    private CompletableFuture<Void> change() {
        return user.guard.changeAsync(user.rows, user.user("1", "a")).toCompletableFuture();
    }

    @Test
    void claimsTheRowWhenItsValuesAreHeld() {
        CompletableFuture<Void> change = change();
        Sent raise = user.next(RAISE);
        assertThat(raise.timestamp).isEqualTo(user.now());
        raise.done();
        Sent row = user.next(RAISE_ROW);
        assertThat(row.timestamp).isEqualTo(raise.timestamp);
        row.done();
        user.next("write").done();
        assertThat(change).isCompleted();
    }

    @Test
    void createsTheClaimOfARowAndNeverWithdrawsIt() {
        CompletableFuture<Void> change = change();
        Sent value = creates();
        value.done();
        Sent raise = user.next(RAISE_ROW);
        raise.refused(null);
        Sent create = user.next(CREATE_ROW);
        assertThat(create.claim().owner()).isEqualTo("1");
        assertThat(create.claim().writeTs()).isEqualTo(raise.timestamp);
        create.done();
        user.failsForGood("read 1");
        Sent withdraw = user.next("withdraw login 1:a");
        assertThat(withdraw.id).isEqualTo(value.id);
        withdraw.done();
        assertThat(failureOf(change)).isInstanceOf(ClaimsUnavailableException.class);
        user.nothingSent();
    }

    /** The row does not have the value yet. */
    private Sent creates() {
        user.next(RAISE).refused(null);
        user.among("read 1").fails(Sent.lost());
        return user.next("create login 1:a");
    }

    @Test
    void withdrawsItsValuesWhereTheRowsClaimIsUnclear() {
        CompletableFuture<Void> change = change();
        Sent value = creates();
        value.done();
        user.next(RAISE_ROW).fails(Sent.lost());
        Sent withdraw = user.next("withdraw login 1:a");
        assertThat(withdraw.id).isEqualTo(value.id);
        withdraw.done();
        assertThat(failureOf(change)).isInstanceOf(ClaimsUnavailableException.class);
        user.nothingSent();
    }

    @Test
    void claimsNoRowThatIsNew() {
        CompletableFuture<Void> insert =
                user.guard.insertAsync(user.rows, user.user("1", "a")).toCompletableFuture();
        user.next("create login 1:a").done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void releasesTheClaimOfARowThatItDeletes() {
        CompletableFuture<Void> delete = user.guard.deleteAsync(user.rows, "1").toCompletableFuture();
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        Sent deletion = user.next("delete 1");
        deletion.done();
        user.among("release login 1:a").done();
        Sent row = user.next("release row of user 1");
        assertThat(row.timestamp).isEqualTo(deletion.timestamp);
        row.done();
        assertThat(delete).isCompleted();
    }

    // ---- another writer of the row

    @Test
    void risesAboveAnotherWriterOfTheRow() {
        CompletableFuture<Void> change = change();
        Sent raise = user.next(RAISE);
        raise.done();
        Sent row = user.next(RAISE_ROW);
        long others = row.timestamp + 5_000;
        row.refused(reserved("1", others));
        Sent raiseAgain = user.next(RAISE);
        assertThat(raiseAgain.timestamp).isEqualTo(others + 1);
        assertThat(raiseAgain.id).isNotEqualTo(raise.id);
        raiseAgain.done();
        Sent rowAgain = user.next(RAISE_ROW);
        assertThat(rowAgain.timestamp).isEqualTo(others + 1);
        assertThat(rowAgain.id).isNotEqualTo(row.id);
        rowAgain.done();
        assertThat(user.next("write").timestamp).isEqualTo(others + 1);
        assertThat(change).isNotDone();
    }

    @Test
    void raisesWhatItHasCreatedWhenItRises() {
        CompletableFuture<Void> change = change();
        creates().done();
        Sent row = user.next(RAISE_ROW);
        row.refused(settled("1", row.timestamp));
        Sent raise = user.next(RAISE);
        assertThat(raise.timestamp).isEqualTo(row.timestamp + 1);
        raise.done();
        assertThat(user.next(RAISE_ROW).timestamp).isEqualTo(row.timestamp + 1);
        assertThat(change).isNotDone();
    }

    @Test
    void aTimestampThatRisesLivesNoLonger() {
        CompletableFuture<Void> change = change();
        user.next(RAISE).done();
        Sent first = user.next(RAISE_ROW);
        user.clock.freeze(USABLE);
        first.refused(settled("1", first.timestamp));
        user.next(RAISE).done();
        user.next(RAISE_ROW).done();
        user.next("write").done();
        user.next("look at fence of row of user 1").isFencedAt(first.timestamp);
        assertThat(change).isCompleted();
    }

    /** Or a takeover that would end the wait could not fence it. */
    @Test
    void claimsNoRowWhileAValueIsPending() {
        CompletableFuture<Void> change = change();
        Sent before = user.next(RAISE);
        before.refused(settled("2", 5));
        user.next("look at login 1:a").finds(reserved("2", 5));
        user.next("read 2").shows(ShownRow.absent("2"));
        Sent again = user.nextAfter(FIRST_PAUSE, RAISE);
        assertThat(again.timestamp).isEqualTo(user.now()).isGreaterThan(before.timestamp);
        again.done();
        Sent row = user.next(RAISE_ROW);
        assertThat(row.timestamp).isEqualTo(again.timestamp);
        row.done();
        user.next("write").done();
        assertThat(change).isCompleted();
    }

    // ---- with a pinned timestamp

    private CompletableFuture<Void> changeAt(long timestamp) {
        return WriteScope.at(timestamp).call(this::change);
    }

    @Test
    void isSupersededByAnotherOfThePinnedTimestamp() {
        long pinned = user.now();
        CompletableFuture<Void> change = changeAt(pinned);
        user.next(RAISE).done();
        user.next(RAISE_ROW).refused(settled("1", pinned));
        assertThat(failureOf(change)).isInstanceOf(SupersededException.class);
        user.nothingSent();
    }

    @Test
    void liesBelowAnotherOfAHigherTimestamp() {
        long pinned = user.now();
        CompletableFuture<Void> change = changeAt(pinned);
        user.next(RAISE).done();
        user.next(RAISE_ROW).refused(settled("1", pinned + 1));
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(pinned);
        write.done();
        assertThat(change).isCompleted();
    }

    @Test
    void liesAboveALowerWriterWhoWasFasterToCreate() {
        long pinned = user.now();
        CompletableFuture<Void> change = changeAt(pinned);
        user.next(RAISE).done();
        user.next(RAISE_ROW).refused(null);
        user.next(CREATE_ROW).refused(settled("1", pinned - 5));
        user.next(RAISE_ROW).done();
        user.next("write").done();
        assertThat(change).isCompleted();
    }

    /** Or the second one would be superseded by the first. */
    @Test
    void allAttemptsClaimTheRowUnderOneId() {
        WriteScope scope = WriteScope.at(user.now());
        CompletableFuture<Void> earlier = scope.call(this::change);
        user.next(RAISE).done();
        Sent first = user.next(RAISE_ROW);
        CompletableFuture<Void> later = scope.call(this::change);
        user.next(RAISE).done();
        assertThat(user.next(RAISE_ROW).id).isEqualTo(first.id);
        assertThat(earlier).isNotDone();
        assertThat(later).isNotDone();
    }
}
