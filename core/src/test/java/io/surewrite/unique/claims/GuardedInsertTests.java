package io.surewrite.unique.claims;

import static io.surewrite.unique.claims.ScriptedGuard.EMAIL;
import static io.surewrite.unique.claims.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.claims.ScriptedGuard.LOGIN;
import static io.surewrite.unique.claims.ScriptedGuard.USABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.unique.ClaimPendingException;
import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.Violation;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What an insert sends, and how it ends, answer by answer. */
class GuardedInsertTests {

    private static final String CREATE = "create login 1:a";
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ScriptedGuard user = new ScriptedGuard();

    private CompletableFuture<Void> insert() {
        return user.guard.insertAsync(user.rows, user.user("1", "a")).toCompletableFuture();
    }

    @Test
    void claimsAndWritesWithOneTimestamp() {
        CompletableFuture<Void> insert = insert();
        Sent create = user.next(CREATE);
        assertThat(create.claim().owner()).isEqualTo("1");
        assertThat(create.claim().writeTs()).isEqualTo(user.now());
        user.clock.advance(Duration.ofMillis(7));
        create.done();
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(create.claim().writeTs());
        write.done();
        assertThat(insert).isCompleted();
        user.nothingSent();
        assertThat(user.events).containsExactly("claimed login", "insert SUCCEEDED after PT0.007S");
    }

    @Test
    void writesAgainWithTheSameTimestamp() {
        CompletableFuture<Void> insert = insert();
        Sent create = user.next(CREATE);
        create.done();
        user.next("write").fails(Sent.lost());
        Sent again = user.nextAfter(FIRST_PAUSE, "write");
        assertThat(again.timestamp).isEqualTo(create.claim().writeTs());
        again.fails(Sent.neverSent());
        user.nextAfter(FIRST_PAUSE.multipliedBy(2), "write").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void doesNotKnowWhatBecameOfALostWrite() {
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).done();
        user.next("write").fails(Sent.lost());
        Sent again = user.nextAfter(FIRST_PAUSE, "write");
        user.clock.freeze(LONG);
        again.fails(Sent.neverSent());
        assertThatThrownBy(insert::join).hasCauseInstanceOf(UnknownOutcomeException.class);
        user.nothingSent();
        assertThat(user.events).endsWith("insert UNKNOWN after PT30.015S");
    }

    @Test
    void freesWhatItClaimedForARowThatWasNeverSent() {
        CompletableFuture<Void> insert = insert();
        Sent create = user.next(CREATE);
        create.done();
        Sent write = user.next("write");
        user.clock.freeze(LONG);
        write.fails(Sent.neverSent());
        Sent abandon = user.next("abandon login 1:a");
        assertThat(abandon.id).isEqualTo(create.claim().claimId());
        abandon.done();
        assertThatThrownBy(insert::join).hasCauseInstanceOf(ClaimsUnavailableException.class);
        assertThat(user.events).endsWith("insert UNAVAILABLE after PT30S");
    }

    @Test
    void saysWhatIsWrongWithTheStatement() {
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).done();
        RuntimeException wrong = Sent.wrong();
        user.next("write").fails(wrong);
        user.next("abandon login 1:a").fails(Sent.lost());
        assertThatThrownBy(insert::join).hasCause(wrong);
        assertThat(user.events).endsWith("insert FAILED after PT0S");
    }

    @Test
    void keepsItsClaimWhereAnEarlierWriteMayTakeEffect() {
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).done();
        user.next("write").fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "write").fails(Sent.wrong());
        user.nothingSent();
        assertThatThrownBy(insert::join).hasCauseInstanceOf(UnknownOutcomeException.class);
    }

    @Test
    void passesOnWhatItsCallersCodeThrows() {
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).done();
        IllegalStateException own = new IllegalStateException("a callback");
        user.next("write").fails(own);
        user.nothingSent();
        assertThatThrownBy(insert::join).hasCause(own);
    }

    @Test
    void claimsAgainWhereTheWriteWasTooSlow() {
        CompletableFuture<Void> insert = insert();
        Sent create = user.next(CREATE);
        create.done();
        Sent write = user.next("write");
        user.clock.freeze(USABLE);
        write.done();
        assertThat(user.events).endsWith("slow insert");
        Sent replace = user.nextAfter(FIRST_PAUSE, "replace login 1:a");
        assertThat(replace.seen).isEqualTo(create.claim());
        assertThat(replace.claim().writeTs()).isEqualTo(user.now());
        assertThat(replace.claim().claimId()).isNotEqualTo(create.claim().claimId());
        assertThat(replace.claim().originId()).isEqualTo(create.claim().originId());
        replace.done();
        Sent again = user.next("write");
        assertThat(again.timestamp).isEqualTo(replace.claim().writeTs());
        user.clock.advance(USABLE.minusNanos(1));
        again.done();
        assertThat(insert).isCompleted();
    }

    @Test
    void claimsAgainWhereTheClaimWasTooSlow() {
        CompletableFuture<Void> insert = insert();
        Sent create = user.next(CREATE);
        user.clock.freeze(USABLE);
        create.done();
        user.nextAfter(FIRST_PAUSE, "replace login 1:a").refused(ScriptedGuard.leased("2", 5));
        // Lost to another, and nothing was sent: the look tells for how long it may last.
        user.next("look at login 1:a").finds(ScriptedGuard.leased("2", 5));
        user.next("abandon login 1:a").done();
        assertThatThrownBy(insert::join)
                .cause()
                .isInstanceOfSatisfying(
                        ClaimPendingException.class,
                        pending -> assertThat(pending.timeLeft()).isEqualTo(Duration.ofSeconds(7)));
        assertThat(user.events).endsWith("insert PENDING after PT8.515S");
    }

    @Test
    void isADuplicateWhereTheOtherRowCarriesTheValue() {
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).refused(ScriptedGuard.leased("2", 5));
        user.next("read 2").shows(ShownRow.of("2", "a", 5));
        assertThatThrownBy(insert::join)
                .hasCauseInstanceOf(DuplicateValueException.class)
                .hasMessageContaining("login");
        user.nothingSent();
        assertThat(user.events).containsExactly("duplicate login", "insert DUPLICATE after PT0S");
    }

    @Test
    void waitsForAnotherWhoIsAtWork() {
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).refused(ScriptedGuard.leased("2", 5));
        user.next("read 2").shows(ShownRow.absent("2"));
        user.nextAfter(FIRST_PAUSE, CREATE).refused(ScriptedGuard.leased("2", 5));
        user.next("read 2").shows(ShownRow.absent("2"));
        Sent create = user.nextAfter(FIRST_PAUSE.multipliedBy(2), CREATE);
        create.done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void waitsForAnotherNoLongerThanItMay() {
        CompletableFuture<Void> insert = insert();
        Sent create = user.next(CREATE);
        user.clock.freeze(Duration.ofSeconds(1).minus(FIRST_PAUSE));
        create.refused(ScriptedGuard.leased("2", 5));
        user.next("read 2").shows(ShownRow.absent("2"));
        user.nextAfter(FIRST_PAUSE, CREATE).refused(ScriptedGuard.leased("2", 5));
        user.next("read 2").shows(ShownRow.absent("2"));
        user.next("look at login 1:a").finds(null);
        assertThatThrownBy(insert::join)
                .cause()
                .isInstanceOfSatisfying(
                        ClaimPendingException.class,
                        pending -> assertThat(pending.timeLeft()).isZero());
    }

    /** What was written while it paused is no longer pending. */
    @Test
    void looksOnceMoreBeforeItGivesUp() {
        CompletableFuture<Void> insert = insert();
        Sent create = user.next(CREATE);
        user.clock.freeze(Duration.ofSeconds(1));
        create.refused(ScriptedGuard.leased("2", 5));
        user.next("read 2").shows(ShownRow.absent("2"));
        user.next("look at login 1:a").finds(ScriptedGuard.leased("2", 5));
        user.next("read 2").shows(ShownRow.of("2", "a", 5));
        assertThatThrownBy(insert::join).hasCauseInstanceOf(DuplicateValueException.class);
        assertThat(user.events).containsExactly("duplicate login", "insert DUPLICATE after PT1S");
    }

    @Test
    void isPendingWhereNothingWasWrittenAtTheLastLook() {
        CompletableFuture<Void> insert = insert();
        Sent create = user.next(CREATE);
        user.clock.freeze(Duration.ofSeconds(1));
        create.refused(ScriptedGuard.leased("2", 5));
        user.next("read 2").shows(ShownRow.absent("2"));
        user.next("look at login 1:a").finds(ScriptedGuard.leased("2", 5));
        user.next("read 2").shows(ShownRow.absent("2"));
        assertThatThrownBy(insert::join)
                .cause()
                .isInstanceOfSatisfying(
                        ClaimPendingException.class,
                        pending -> assertThat(pending.timeLeft()).isEqualTo(Duration.ofSeconds(7)));
    }

    /** Or those that wait would hold the second value by turns, and keep it from the one that has the first. */
    @Test
    void touchesNoOtherValueWhileItWaitsForTheFirst() {
        user.with(LOGIN, EMAIL);
        CompletableFuture<Void> insert = insert();
        user.among(CREATE).refused(ScriptedGuard.leased("3", 5));
        user.among("create email 6:a@host").refused(ScriptedGuard.leased("2", 5));
        user.among("read 2").shows(ShownRow.absent("2"));
        user.next("read 3").shows(ShownRow.absent("3"));
        user.nextAfter(FIRST_PAUSE, "create email 6:a@host").refused(ScriptedGuard.leased("2", 5));
        user.next("read 2").shows(ShownRow.absent("2"));
        user.nextAfter(FIRST_PAUSE.multipliedBy(2), "create email 6:a@host").done();
        user.next(CREATE).done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void namesAllDuplicatesAlsoWhereItHasWaited() {
        user.with(LOGIN, EMAIL);
        CompletableFuture<Void> insert = insert();
        user.among(CREATE).refused(ScriptedGuard.leased("2", 5));
        user.among("read 2").shows(ShownRow.absent("2"));
        user.among("create email 6:a@host").refused(ScriptedGuard.leased("2", 5));
        user.next("read 2").shows(ShownRow.absent("2"));
        user.nextAfter(FIRST_PAUSE, "create email 6:a@host").refused(ScriptedGuard.leased("2", 5));
        user.next("read 2").shows(ShownRow.of("2", "a", 5));
        user.among(CREATE).refused(ScriptedGuard.leased("2", 5));
        user.among("read 2").shows(ShownRow.of("2", "a", 5));
        user.among("create email 6:a@host").refused(ScriptedGuard.leased("2", 5));
        user.next("read 2").shows(ShownRow.of("2", "a", 5));
        assertThatThrownBy(insert::join)
                .cause()
                .isInstanceOfSatisfying(
                        DuplicateValueException.class,
                        duplicate -> assertThat(duplicate.violations())
                                .extracting(Violation::constraint)
                                .containsExactly("login", "email"));
    }

    @Test
    void freesTheOtherValuesOfADuplicate() {
        user.with(LOGIN, EMAIL);
        CompletableFuture<Void> insert = insert();
        Sent login = user.among(CREATE);
        user.among("create email 6:a@host").refused(ScriptedGuard.settled("2", 5));
        login.done();
        user.next("read 2").shows(ShownRow.of("2", "a", 5));
        Sent abandon = user.next("abandon login 1:a");
        assertThat(abandon.id).isEqualTo(login.claim().claimId());
        abandon.done();
        assertThatThrownBy(insert::join)
                .cause()
                .isInstanceOfSatisfying(
                        DuplicateValueException.class,
                        duplicate -> assertThat(duplicate.violations())
                                .extracting(Violation::constraint)
                                .containsExactly("email"));
    }

    @Test
    void freesTheOtherValuesWhereOneIsUnclear() {
        user.with(LOGIN, EMAIL);
        CompletableFuture<Void> insert = insert();
        user.among(CREATE).done();
        user.among("create email 6:a@host").fails(Sent.lost());
        user.next("abandon login 1:a").done();
        assertThatThrownBy(insert::join).hasCauseInstanceOf(ClaimsUnavailableException.class);
    }

    /** The claim of a call that did not end keeps its origin. */
    @Test
    void makesAnOlderClaimOfItsOwnRowAgain() {
        CompletableFuture<Void> insert = insert();
        SeenClaim older = ScriptedGuard.settled("1", 40);
        user.next(CREATE).refused(older);
        Sent replace = user.next("replace login 1:a");
        assertThat(replace.seen).isEqualTo(older.claim());
        assertThat(replace.claim().originId()).isEqualTo(older.claim().originId());
        assertThat(replace.claim().writeTs()).isEqualTo(user.now());
        replace.done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    /** Claims that come and go between two looks. */
    @Test
    void waitsWhereOthersAreAlwaysFaster() {
        CompletableFuture<Void> insert = insert();
        for (int i = 0; i < 8; i++) {
            user.next(CREATE).refused(null);
        }
        user.nextAfter(FIRST_PAUSE, CREATE).done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void risesAboveAClaimOfItsOwnRow() {
        CompletableFuture<Void> insert = insert();
        Sent create = user.next(CREATE);
        long seen = user.now() + 500_000;
        create.refused(ScriptedGuard.settled("1", seen));
        Sent again = user.next(CREATE);
        assertThat(again.claim().writeTs()).isEqualTo(seen + 1);
        again.refused(ScriptedGuard.settled("1", seen));
        Sent replace = user.next("replace login 1:a");
        assertThat(replace.claim().writeTs()).isEqualTo(seen + 1);
        replace.done();
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(seen + 1);
        write.done();
        assertThat(insert).isCompleted();
    }

    /** Others may know the row by then, and have written it with the very timestamp that is next. */
    @Test
    void claimsTheRowWhenItWritesLaterAndTheRowMayMix() {
        user.whoseRowsMayMix();
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).done();
        Sent write = user.next("write");
        user.clock.advance(USABLE);
        write.done();
        user.nextAfter(FIRST_PAUSE, "replace login 1:a").done();
        Sent row = user.next("create row of user 1");
        assertThat(row.claim().writeTs()).isEqualTo(user.now());
        row.done();
        Sent again = user.next("write");
        user.clock.advance(USABLE);
        again.done();
        // Both are held now.
        Sent login = user.amongAfter(FIRST_PAUSE.multipliedBy(2), "replace login 1:a");
        Sent held = user.next("replace row of user 1");
        assertThat(held.seen).isEqualTo(row.claim());
        login.done();
        held.done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void claimsTheRowWhenItRisesAndTheRowMayMix() {
        user.whoseRowsMayMix();
        CompletableFuture<Void> insert = insert();
        long seen = user.now() + 500_000;
        user.next(CREATE).refused(ScriptedGuard.settled("1", seen));
        Sent row = user.among("create row of user 1");
        assertThat(row.claim().writeTs()).isEqualTo(seen + 1);
        user.next(CREATE).done();
        row.done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    /** Another has replaced the claim of a writer that was too slow. */
    @Test
    void doesNotKnowWhoHasTheValueWhenItsClaimIsGone() {
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).done();
        Sent write = user.next("write");
        user.clock.advance(USABLE);
        write.done();
        user.nextAfter(FIRST_PAUSE, "replace login 1:a").refused(ScriptedGuard.leased("2", user.now()));
        user.next("look at login 1:a").finds(ScriptedGuard.leased("2", user.now()));
        user.next("read 1").shows(ShownRow.absent("1"));
        assertThatThrownBy(insert::join).hasCauseInstanceOf(ClaimPendingException.class);
    }

    @Test
    void doesNotKnowWhetherItClaimedAgain() {
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).done();
        Sent write = user.next("write");
        user.clock.advance(USABLE);
        write.done();
        user.nextAfter(FIRST_PAUSE, "replace login 1:a").fails(Sent.lost());
        user.nothingSent();
        assertThatThrownBy(insert::join).hasCauseInstanceOf(UnknownOutcomeException.class);
    }
}
