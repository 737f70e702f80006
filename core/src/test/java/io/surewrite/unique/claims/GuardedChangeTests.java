package io.surewrite.unique.claims;

import static io.surewrite.unique.claims.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.claims.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a change sends, and how it ends, answer by answer. */
class GuardedChangeTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ScriptedGuard user = new ScriptedGuard();

    private CompletableFuture<Void> change(String login) {
        return user.guard.changeAsync(user.rows, user.user("1", login)).toCompletableFuture();
    }

    /** The row has this login; nobody contests it, and nobody is about to fence the row. */
    private Sent unchanged(ShownRow row) {
        user.next("read 1").shows(row);
        user.among("look at login 1:a").finds(settled("1", 50));
        user.next("look at row of user 1").finds(null);
        return user.next("write others");
    }

    @Test
    void writesTheOthersAloneWhereNothingUniqueChanges() {
        CompletableFuture<Void> change = change("a");
        Sent others = unchanged(ShownRow.of("1", "a", 50));
        assertThat(others.timestamp).isEqualTo(user.now());
        others.done();
        assertThat(change).isCompleted();
        assertThat(user.events).containsExactly("change SUCCEEDED after PT0S");

        CompletableFuture<Void> next = change("a");
        long ahead = user.now() + 1_000;
        user.next("read 1").shows(new ShownRow("1", true, "a", 50, ahead));
        // For a fence it looked once.
        user.next("look at login 1:a").finds(settled("1", 50));
        Sent above = user.next("write others");
        assertThat(above.timestamp).isEqualTo(ahead + 1);
        above.done();
        assertThat(next).isCompleted();
    }

    @Test
    void writesTheOthersAgainWithTheSameTimestamp() {
        CompletableFuture<Void> change = change("a");
        Sent others = unchanged(ShownRow.of("1", "a", 50));
        others.fails(Sent.neverSent());
        Sent again = user.nextAfter(FIRST_PAUSE, "write others");
        assertThat(again.timestamp).isEqualTo(others.timestamp);
        user.clock.freeze(LONG);
        again.fails(Sent.neverSent());
        assertThatThrownBy(change::join).hasCauseInstanceOf(ClaimsUnavailableException.class);
    }

    @Test
    void doesNotKnowWhatBecameOfTheOthers() {
        CompletableFuture<Void> change = change("a");
        unchanged(ShownRow.of("1", "a", 50)).fails(Sent.lost());
        Sent again = user.nextAfter(FIRST_PAUSE, "write others");
        user.clock.freeze(LONG);
        again.fails(Sent.neverSent());
        assertThatThrownBy(change::join).hasCauseInstanceOf(UnknownOutcomeException.class);
    }

    @Test
    void saysWhatIsWrongWithTheOthers() {
        CompletableFuture<Void> change = change("a");
        RuntimeException wrong = Sent.wrong();
        unchanged(ShownRow.of("1", "a", 50)).fails(wrong);
        assertThatThrownBy(change::join).hasCause(wrong);
        CompletableFuture<Void> after = change("a");
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        user.next("look at login 1:a").finds(settled("1", 50));
        user.next("write others").fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "write others").fails(wrong);
        assertThatThrownBy(after::join).hasCauseInstanceOf(UnknownOutcomeException.class);
    }

    @Test
    void writesNothingWhereItCannotRead() {
        CompletableFuture<Void> change = change("a");
        user.failsForGood("read 1");
        assertThatThrownBy(change::join).hasCauseInstanceOf(ClaimsUnavailableException.class);
        CompletableFuture<Void> blind = change("a");
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        user.among("look at row of user 1").finds(null);
        user.failsForGood("look at login 1:a");
        assertThatThrownBy(blind::join).hasCauseInstanceOf(ClaimsUnavailableException.class);
        user.nothingSent();
    }

    @Test
    void claimsAValueThatIsContestedOrNotItsOwn() {
        CompletableFuture<Void> settles = change("a");
        unchanged(ShownRow.of("1", "a", 50)).done();
        assertThat(settles).isCompleted();
        SeenClaim contested = new SeenClaim(new Claim("1", UUID.randomUUID(), null, 50), true, false);
        for (SeenClaim seen : Arrays.asList(contested, settled("2", 50), null)) {
            CompletableFuture<Void> change = change("a");
            user.next("read 1").shows(ShownRow.of("1", "a", 50));
            user.next("look at login 1:a").finds(seen);
            user.next("create login 1:a").done();
            user.next("write").done();
            assertThat(change).isCompleted();
        }
    }

    /** Its writer has not sent the row, and gives the claim up when another of its values is taken. */
    @Test
    void claimsAValueWhoseClaimAnotherWriterMayGiveUp() {
        SeenClaim created = new SeenClaim(new Claim("1", UUID.randomUUID(), null, 51), false, true);
        CompletableFuture<Void> change = change("a");
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        user.among("look at login 1:a").finds(created);
        user.next("look at row of user 1").finds(null);
        user.next("create login 1:a").refused(created);
        Sent replace = user.next("replace login 1:a");
        assertThat(replace.claim().claimId()).isNotEqualTo(created.claim().claimId());
        replace.done();
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(replace.claim().writeTs()).isGreaterThan(51);
        write.done();
        assertThat(change).isCompleted();
    }

    @Test
    void writesAboveAFenceThatMayBeOnItsWay() {
        CompletableFuture<Void> change = change("a");
        long fence = user.now() + 500;
        user.next("read 1").shows(ShownRow.of("1", "a", fence));
        user.among("look at login 1:a").finds(settled("1", fence));
        user.next("look at row of user 1").finds(settled("1", fence));
        Sent create = user.next("create login 1:a");
        assertThat(create.claim().writeTs()).isBetween(fence + 1, fence + 1 + 1023);
        create.done();
        user.next("write").done();
        assertThat(change).isCompleted();

        // One that is older than all of the row removes nothing.
        CompletableFuture<Void> next = change("a");
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        user.among("look at login 1:a").finds(settled("1", 50));
        user.next("look at row of user 1").finds(settled("1", 49));
        user.next("write others").done();
        assertThat(next).isCompleted();
    }

    /** Where every writer claims the row, nobody else has written with the very timestamp of the fence. */
    @Test
    void takesAFenceOfTheSameTimeForTheRowItselfWhereAllClaimTheRow() {
        user.whoseRowsMayMix();
        CompletableFuture<Void> change = change("a");
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        user.among("look at login 1:a").finds(settled("1", 50));
        user.next("look at row of user 1").finds(settled("1", 50));
        user.next("write others").done();
        assertThat(change).isCompleted();

        CompletableFuture<Void> fenced = change("a");
        user.next("read 1").shows(ShownRow.of("1", "a", 60));
        user.among("look at login 1:a").finds(settled("1", 60));
        user.next("look at row of user 1").finds(settled("1", 61));
        Sent create = user.among("create login 1:a");
        assertThat(create.claim().writeTs()).isEqualTo(user.now()).isGreaterThan(61);
        create.done();
        user.next("create row of user 1").done();
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(create.claim().writeTs());
        write.done();
        assertThat(fenced).isCompleted();
    }

    @Test
    void freesTheOldValueLast() {
        CompletableFuture<Void> change = change("b");
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        Sent create = user.next("create login 1:b");
        create.done();
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(create.claim().writeTs()).isEqualTo(user.now());
        write.done();
        Sent release = user.next("release login 1:a");
        assertThat(release.timestamp).isEqualTo(write.timestamp);
        assertThat(change).isNotCompleted();
        release.refused(settled("2", write.timestamp + 9));
        assertThat(change).isCompleted();
    }

    @Test
    void pinsAboveWhatTheRowShows() {
        CompletableFuture<Void> change = change("b");
        long ahead = user.now() + 5_000;
        user.next("read 1").shows(ShownRow.of("1", "a", ahead));
        Sent create = user.next("create login 1:b");
        assertThat(create.claim().writeTs() - ahead - 1)
                .isEqualTo(create.claim().claimId().hashCode() & 1023);
        create.done();
        user.next("write").done();
        user.next("release login 1:a").fails(Sent.lost());
        assertThatThrownBy(change::join).hasCauseInstanceOf(UnknownOutcomeException.class);
    }

    @Test
    void writesAgainAboveAnOldValueThatWasClaimedAgain() {
        CompletableFuture<Void> change = change("b");
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        user.next("create login 1:b").done();
        Sent write = user.next("write");
        write.done();
        long again = write.timestamp + 70_000;
        user.next("release login 1:a").refused(settled("1", again));
        assertThat(user.events).endsWith("slow change");
        Sent replace = user.nextAfter(FIRST_PAUSE, "replace login 1:b");
        assertThat(replace.claim().writeTs()).isEqualTo(again + 1);
        replace.done();
        Sent second = user.next("write");
        assertThat(second.timestamp).isEqualTo(again + 1);
        second.done();
        user.next("release login 1:a").done();
        assertThat(change).isCompleted();
    }

    @Test
    void readsBackARowThatWasNotThere() {
        CompletableFuture<Void> change = change("a");
        user.next("read 1").shows(ShownRow.absent("1"));
        user.next("create login 1:a").done();
        Sent write = user.next("write");
        write.done();
        user.next("read 1").shows(ShownRow.of("1", "a", write.timestamp));
        assertThat(change).isCompleted();
        CompletableFuture<Void> blind = change("a");
        user.next("read 1").shows(ShownRow.absent("1"));
        user.next("create login 1:a").done();
        user.next("write").done();
        user.failsForGood("read 1");
        user.nothingSent();
        assertThatThrownBy(blind::join).hasCauseInstanceOf(UnknownOutcomeException.class);
    }

    @Test
    void stepsBeyondADeletionThatNobodySees() {
        CompletableFuture<Void> change = change("a");
        user.next("read 1").shows(ShownRow.absent("1"));
        user.next("create login 1:a").done();
        for (long step : new long[] {1_000, 10_000, 100_000}) {
            Sent dead = user.next("write");
            dead.done();
            user.next("read 1").shows(ShownRow.absent("1"));
            user.clock.advance(Duration.ZERO);
            Sent replace = user.next("replace login 1:a");
            assertThat(replace.claim().writeTs()).isEqualTo(dead.timestamp + 1 + step);
            replace.done();
        }
        Sent write = user.next("write");
        write.done();
        user.next("read 1").shows(ShownRow.of("1", "a", write.timestamp));
        assertThat(change).isCompleted();
    }

    @Test
    void claimsTheRowWhereItMayMix() {
        user.whoseRowsMayMix();
        CompletableFuture<Void> change = change("b");
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        Sent row = user.among("create row of user 1");
        user.next("create login 1:b").done();
        row.done();
        user.next("write").done();
        user.next("release login 1:a").done();
        assertThat(change).isCompleted();
    }
}
