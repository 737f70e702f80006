package io.surewrite.unique;

import static io.surewrite.unique.ScriptedGuard.EMAIL;
import static io.surewrite.unique.ScriptedGuard.LOGIN;
import static io.surewrite.unique.ScriptedGuard.failureOf;
import static io.surewrite.unique.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.ClaimStore.SeenClaim;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a change or an overwrite sends, and how it ends, answer by answer. */
class GuardedChangeTests {

    private final ScriptedGuard user = new ScriptedGuard();

    private CompletableFuture<Void> change(@Nullable String login) {
        return user.guard.changeAsync(user.rows, user.user("1", login)).toCompletableFuture();
    }

    /** The row has had the login a. */
    private void createsB() {
        user.next("raise login 1:b").refused(null);
        user.among("read 1").shows(ShownRow.of("1", "a", 50));
        user.next("create login 1:b").done();
    }

    // ---- nothing unique changes

    @Test
    void raisesWhatItHasAndWritesWithOneTimestamp() {
        CompletableFuture<Void> change = change("a");
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
    void overwritesAsItChanges() {
        CompletableFuture<Void> overwrite =
                user.guard.overwriteAsync(user.rows, user.user("1", "a")).toCompletableFuture();
        user.next("raise login 1:a").done();
        user.next("write").done();
        assertThat(overwrite).isCompleted();
        assertThat(user.events).endsWith("overwrite SUCCEEDED after PT0S");
    }

    @Test
    void joinsWhatALaterOperationHasRaised() {
        CompletableFuture<Void> change = change("a");
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
    void raisesAgainWhereTheJoinIsRefused() {
        CompletableFuture<Void> change = change("a");
        Sent raise = user.next("raise login 1:a");
        raise.refused(settled("1", raise.timestamp));
        user.next("join login 1:a").refused(settled("", 0));
        Sent again = user.next("raise login 1:a");
        assertThat(again.claim()).isEqualTo(raise.claim());
        again.done();
        user.next("write").done();
        assertThat(change).isCompleted();
    }

    // ---- a value changes

    @Test
    void createsTheNewValueAndReleasesTheOldOneLast() {
        CompletableFuture<Void> change = change("b");
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
    void isDoneWhateverBecomesOfARelease() {
        CompletableFuture<Void> refused = change("b");
        createsB();
        user.next("write").done();
        user.next("release login 1:a").refused(settled("1", user.now() + 9));
        assertThat(refused).isCompleted();
        CompletableFuture<Void> lost = change("b");
        createsB();
        user.next("write").done();
        user.next("release login 1:a").fails(Sent.lost());
        assertThat(lost).isCompleted();
    }

    @Test
    void releasesAValueThatBecomesNull() {
        CompletableFuture<Void> change = change(null);
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        user.next("write").done();
        user.next("release login 1:a").done();
        assertThat(change).isCompleted();
        user.nothingSent();
    }

    @Test
    void releasesNothingThatTheRowKeeps() {
        user.with(LOGIN, EMAIL);
        CompletableFuture<Void> change = change("a");
        user.among("raise login 1:a").done();
        user.next("raise email 6:a@host").refused(null);
        user.among("read 1").shows(ShownRow.of("1", "a", 50));
        user.next("create email 6:a@host").done();
        user.next("write").done();
        assertThat(change).isCompleted();
        user.nothingSent();
    }

    // ---- the value is another's

    @Test
    void isADuplicateWhereTheOtherRowCarriesTheValue() {
        CompletableFuture<Void> change = change("b");
        user.next("raise login 1:b").refused(settled("2", 5));
        user.next("look at login 1:b").finds(settled("2", 5));
        user.next("read 2").shows(ShownRow.of("2", "b", 5));
        assertThat(failureOf(change)).isInstanceOf(DuplicateValueException.class);
        user.nothingSent();
    }

    @Test
    void takesOverWhatSomebodyHasLeft() {
        CompletableFuture<Void> change = change("b");
        user.next("raise login 1:b").refused(settled("2", 40));
        SeenClaim former = settled("2", 40);
        user.next("look at login 1:b").finds(former);
        user.next("read 2").shows(ShownRow.of("2", "z", 41));
        Sent take = user.next("take login 1:b");
        assertThat(take.seen).isEqualTo(former.claim().claimId());
        take.done();
        user.next("read 1").shows(ShownRow.absent("1"));
        user.next("write").done();
        assertThat(change).isCompleted();
    }

    @Test
    void repeatsNoReadThatNobodyNeedsAnyMore() {
        CompletableFuture<Void> change = change("b");
        user.next("raise login 1:b").refused(null);
        user.among("read 1").fails(Sent.lost());
        user.next("create login 1:b").refused(settled("2", 5));
        user.next("read 2").shows(ShownRow.of("2", "b", 5));
        assertThat(failureOf(change)).isInstanceOf(DuplicateValueException.class);
        user.nothingSent();
    }

    // ---- no answer

    @Test
    void withdrawsWhatItCreatedWhereItCannotRead() {
        CompletableFuture<Void> change = change("b");
        user.next("raise login 1:b").refused(null);
        user.among("read 1").fails(Sent.lost());
        Sent create = user.next("create login 1:b");
        create.done();
        user.failsForGood("read 1");
        Sent withdraw = user.next("withdraw login 1:b");
        assertThat(withdraw.id).isEqualTo(create.claim().claimId());
        withdraw.done();
        assertThat(failureOf(change)).isInstanceOf(ClaimsUnavailableException.class);
    }

    @Test
    void withdrawsNothingThatItRaised() {
        user.with(LOGIN, EMAIL);
        CompletableFuture<Void> change = change("a");
        user.among("raise login 1:a").done();
        user.next("raise email 6:a@host").fails(Sent.lost());
        assertThat(failureOf(change)).isInstanceOf(ClaimsUnavailableException.class);
        user.nothingSent();
    }
}
