package io.surewrite.unique;

import static io.surewrite.unique.ScriptedGuard.EMAIL;
import static io.surewrite.unique.ScriptedGuard.LOGIN;
import static io.surewrite.unique.ScriptedGuard.USABLE;
import static io.surewrite.unique.ScriptedGuard.failureOf;
import static io.surewrite.unique.ScriptedGuard.reserved;
import static io.surewrite.unique.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.ClaimStore.SeenClaim;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What an insert, a change and a deletion send, and how they end, answer by answer. */
class GuardedWriteTests {

    private final ScriptedGuard user = new ScriptedGuard();

    @Test
    void claimsAndWritesWithOneTimestampAndReadsNothing() {
        CompletableFuture<Void> insert = user.insert();
        Sent create = user.next("create login 1:a");
        assertThat(create.claim().owner()).isEqualTo("1");
        assertThat(create.claim().writeTs()).isEqualTo(user.now());
        user.clock.advance(Duration.ofMillis(7));
        create.done();
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(create.claim().writeTs());
        write.done();
        assertThat(insert).isCompleted();
        user.nothingSent();
        assertThat(user.events).containsExactly("insert SUCCEEDED after PT0.007S");
    }

    @Test
    void withdrawsWhatItMayHaveCreated() {
        user.with(LOGIN, EMAIL);
        CompletableFuture<Void> insert = user.insert();
        Sent login = user.among("create login 1:a");
        Sent email = user.next("create email 6:a@host");
        login.fails(Sent.lost());
        email.done();
        Sent unclear = user.among("withdraw login 1:a");
        assertThat(unclear.id).isEqualTo(login.id);
        unclear.done();
        user.next("withdraw email 6:a@host").done();
        assertThat(failureOf(insert)).isInstanceOf(ClaimsUnavailableException.class);
        user.nothingSent();
    }

    @Test
    void raisesWhatItHasAndWritesWithOneTimestamp() {
        CompletableFuture<Void> change = user.change("a");
        Sent raise = user.next("raise login 1:a");
        assertThat(raise.claim().owner()).isEqualTo("1");
        assertThat(raise.timestamp).isEqualTo(user.now());
        raise.done();
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(raise.timestamp);
        write.done();
        assertThat(change).isCompleted();
        user.nothingSent();
        assertThat(user.events).containsExactly("change SUCCEEDED after PT0S");
    }

    @Test
    void joinsWhatALaterOperationHasRaised() {
        CompletableFuture<Void> change = user.change("a");
        Sent raise = user.next("raise login 1:a");
        SeenClaim later = settled("1", raise.timestamp + 9);
        raise.refused(later);
        Sent join = user.next("join login 1:a");
        assertThat(join.seen).isEqualTo(later.claim().claimId());
        assertThat(join.id).isEqualTo(raise.id);
        join.done();
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(raise.timestamp);
        write.done();
        assertThat(change).isCompleted();
        user.nothingSent();
    }

    @Test
    void createsTheNewValueAndReleasesTheOldOneLast() {
        CompletableFuture<Void> change = user.change("b");
        Sent raise = user.next("raise login 1:b");
        raise.refused(null);
        Sent beside = user.among("read 1");
        Sent create = user.next("create login 1:b");
        assertThat(create.claim().writeTs()).isEqualTo(raise.timestamp);
        assertThat(create.claim().claimId()).isNotEqualTo(raise.id);
        create.done();
        user.nothingSent();
        beside.shows(ShownRow.of("1", "a", 50));
        Sent write = user.next("write");
        write.done();
        Sent release = user.next("release login 1:a");
        assertThat(release.timestamp).isEqualTo(write.timestamp);
        assertThat(change).isNotDone();
        release.done();
        assertThat(change).isCompleted();
    }

    @Test
    void withdrawsNothingThatItRaised() {
        user.with(LOGIN, EMAIL);
        CompletableFuture<Void> change = user.change("a");
        user.among("raise login 1:a").done();
        user.next("raise email 6:a@host").fails(Sent.lost());
        assertThat(failureOf(change)).isInstanceOf(ClaimsUnavailableException.class);
        user.nothingSent();
    }

    @Test
    void aDeletionIsSupersededWhereATakeoverHasFencedTheRow() {
        CompletableFuture<Void> delete = user.delete();
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        Sent deletion = user.next("delete 1");
        user.clock.freeze(USABLE);
        deletion.done();
        user.next("look at fence of row of user 1").isFencedAt(deletion.timestamp);
        user.next("read 1").shows(ShownRow.absent("1"));
        user.next("look at fence of row of user 1").isFencedAt(user.now());
        assertThat(failureOf(delete)).isInstanceOf(SupersededException.class);
        user.nothingSent();
    }

    @Test
    void joinsTheClaimOfItsOwnEarlierAttempt() {
        user.whoseKeyIsTheLogin();
        WriteScope scope = WriteScope.at(user.now());
        CompletableFuture<Void> earlier = scope.call(user::insert);
        Sent first = user.next("create login 1:a");
        CompletableFuture<Void> insert = scope.call(user::insert);
        user.next("create login 1:a").refused(reserved(first.claim()));
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
    void risesAboveAnotherWriterOfTheRow() {
        user.whoseRowsMayMix();
        CompletableFuture<Void> change = user.change("a");
        Sent raise = user.next("raise login 1:a");
        raise.done();
        Sent row = user.next("raise row of user 1");
        long others = row.timestamp + 5_000;
        row.refused(reserved("1", others));
        Sent raiseAgain = user.next("raise login 1:a");
        assertThat(raiseAgain.timestamp).isEqualTo(others + 1);
        assertThat(raiseAgain.id).isNotEqualTo(raise.id);
        raiseAgain.done();
        Sent rowAgain = user.next("raise row of user 1");
        assertThat(rowAgain.timestamp).isEqualTo(others + 1);
        assertThat(rowAgain.id).isNotEqualTo(row.id);
        rowAgain.done();
        assertThat(user.next("write").timestamp).isEqualTo(others + 1);
        assertThat(change).isNotDone();
    }

    /** Or the second one would be superseded by the first. */
    @Test
    void allAttemptsClaimTheRowUnderOneId() {
        user.whoseRowsMayMix();
        WriteScope scope = WriteScope.at(user.now());
        CompletableFuture<Void> earlier = scope.call(() -> user.change("a"));
        user.next("raise login 1:a").done();
        Sent first = user.next("raise row of user 1");
        CompletableFuture<Void> later = scope.call(() -> user.change("a"));
        user.next("raise login 1:a").done();
        assertThat(user.next("raise row of user 1").id).isEqualTo(first.id);
        assertThat(earlier).isNotDone();
        assertThat(later).isNotDone();
    }
}
