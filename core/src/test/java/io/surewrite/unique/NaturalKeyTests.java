package io.surewrite.unique;

import static io.surewrite.unique.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.ScriptedGuard.failureOf;
import static io.surewrite.unique.ScriptedGuard.reserved;
import static io.surewrite.unique.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.ClaimStore.SeenClaim;
import io.surewrite.write.WriteScope;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Where a login is the primary key: all who insert it have the same owner, and only the origin tells them apart. */
class NaturalKeyTests {

    private static final String CREATE = "create login 1:a";

    private final ScriptedGuard user = new ScriptedGuard().whoseKeyIsTheLogin();

    private CompletableFuture<Void> insert() {
        return user.guard.insertAsync(user.rows, user.user("1", "a")).toCompletableFuture();
    }

    @Test
    void waitsForAnotherInsertAtWork() {
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).refused(reserved("1", 40));
        user.next("read 1").shows(ShownRow.absent("1"));
        user.nextAfter(FIRST_PAUSE, CREATE).refused(settled("1", 40));
        user.next("read 1").shows(ShownRow.of("1", "a", 40));
        assertThat(failureOf(insert)).isInstanceOf(DuplicateValueException.class);
    }

    @Test
    void joinsTheClaimOfItsOwnEarlierAttempt() {
        WriteScope scope = WriteScope.at(user.now());
        CompletableFuture<Void> earlier = scope.call(this::insert);
        Sent first = user.next(CREATE);
        CompletableFuture<Void> insert = scope.call(this::insert);
        user.next(CREATE).refused(reserved(first.claim()));
        Sent join = user.next("join login 1:a");
        assertThat(join.seen).isEqualTo(first.claim().claimId());
        join.done();
        user.next("read 1").shows(ShownRow.of("1", "a", first.timestamp));
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(first.timestamp);
        write.done();
        assertThat(insert).isCompleted();
        assertThat(earlier).isNotDone();
    }

    @Test
    void takesOverFromAnInsertThatDied() {
        CompletableFuture<Void> insert = insert();
        SeenClaim former = settled("1", 40);
        user.next(CREATE).refused(former);
        user.next("read 1").shows(ShownRow.absent("1"));
        Sent fence = user.next("fence row of user 1");
        assertThat(fence.timestamp).isEqualTo(41);
        fence.done();
        user.next("read to restore 1").shows(ShownRow.absent("1"));
        Sent delete = user.next("delete 1");
        assertThat(delete.timestamp).isEqualTo(40);
        delete.done();
        Sent take = user.next("take login 1:a");
        assertThat(take.seen).isEqualTo(former.claim().claimId());
        assertThat(take.claim().originId()).isNotEqualTo(former.claim().originId());
        take.done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    /** What kills the earlier insert must not kill this one. */
    @Test
    void takesNothingOverThatWasClaimedAtItsOwnTimestamp() {
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).refused(settled("1", user.now()));
        user.next("read 1").shows(ShownRow.absent("1"));
        user.nextAfter(FIRST_PAUSE, CREATE);
        assertThat(insert).isNotDone();
    }

    @Test
    void createsAgainWhereSomebodyElseTookItOver() {
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).refused(settled("1", 40));
        user.next("read 1").shows(new ShownRow("1", true, "b", 41, 41));
        user.next("take login 1:a").refused(settled("", 0));
        user.next(CREATE);
        assertThat(insert).isNotDone();
    }

    @Test
    void anInsertClaimsTheRowWhereItMayMix() {
        user.whoseRowsMayMix();
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).done();
        user.next("raise row of user 1").refused(null);
        user.next("create row of user 1").done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void raisesWhatItClaimedBeforeItsTimestampRose() {
        user.whoseRowsMayMix();
        CompletableFuture<Void> insert = insert();
        Sent first = user.next(CREATE);
        first.done();
        long others = first.timestamp + 5_000;
        user.next("raise row of user 1").refused(settled("1", others));
        user.next(CREATE).refused(reserved(first.claim()));
        Sent raise = user.next("raise login 1:a");
        assertThat(raise.timestamp).isEqualTo(others + 1);
        assertThat(raise.claim().originId()).isEqualTo(first.claim().originId());
        raise.done();
        Sent row = user.next("raise row of user 1");
        assertThat(row.claim().originId()).as("of any writer").isNull();
        row.done();
        user.next("read 1").shows(ShownRow.absent("1"));
        assertThat(user.next("write").timestamp).isEqualTo(others + 1);
        assertThat(insert).isNotDone();
    }

    /** Its reservation was over, and another insert has taken the key. */
    @Test
    void raisesNothingOfAnotherInsert() {
        user.whoseRowsMayMix();
        CompletableFuture<Void> insert = insert();
        Sent first = user.next(CREATE);
        first.done();
        user.next("raise row of user 1").refused(settled("1", first.timestamp));
        user.next(CREATE).refused(settled(first.claim()));
        user.next("raise login 1:a").refused(settled("1", first.timestamp + 9));
        user.next(CREATE).refused(reserved("1", first.timestamp + 9));
        user.next("read 1").shows(ShownRow.absent("1"));
        user.nextAfter(FIRST_PAUSE, CREATE);
        assertThat(insert).isNotDone();
    }
}
