package io.surewrite.unique;

import static io.surewrite.unique.ScriptedGuard.EMAIL;
import static io.surewrite.unique.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.ScriptedGuard.LOGIN;
import static io.surewrite.unique.ScriptedGuard.failureOf;
import static io.surewrite.unique.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.ClaimStore.SeenClaim;
import io.surewrite.unique.DuplicateValueException.Violation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What an insert sends, and how it ends, answer by answer. */
class GuardedInsertTests {

    private static final String CREATE = "create login 1:a";
    private static final String CREATE_EMAIL = "create email 6:a@host";

    private final ScriptedGuard user = new ScriptedGuard();

    private CompletableFuture<Void> insert() {
        return insert("a");
    }

    private CompletableFuture<Void> insert(String login) {
        return user.guard.insertAsync(user.rows, user.user("1", login)).toCompletableFuture();
    }

    @Test
    void claimsAndWritesWithOneTimestampAndReadsNothing() {
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
        assertThat(user.events).containsExactly("insert SUCCEEDED after PT0.007S");
    }

    // ---- the value is another's

    @Test
    void isADuplicateWhereTheOtherRowCarriesTheValue() {
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).refused(ScriptedGuard.reserved("2", 5));
        user.next("read 2").shows(ShownRow.of("2", "a", 5));
        assertThat(failureOf(insert))
                .isInstanceOf(DuplicateValueException.class)
                .hasMessageContaining("login");
        user.nothingSent();
        assertThat(user.events).containsExactly("insert DUPLICATE after PT0S");
    }

    @Test
    void namesAllDuplicates() {
        user.with(LOGIN, EMAIL);
        CompletableFuture<Void> insert = insert();
        user.among(CREATE).refused(settled("2", 5));
        user.among("read 2").shows(ShownRow.of("2", "a", 5));
        user.next(CREATE_EMAIL).refused(settled("3", 5));
        user.next("read 3").shows(ShownRow.of("3", "a", 5));
        assertThat(failureOf(insert))
                .isInstanceOfSatisfying(
                        DuplicateValueException.class,
                        duplicate -> assertThat(duplicate.violations())
                                .extracting(Violation::constraint)
                                .containsExactly("email", "login"));
    }

    @Test
    void withdrawsTheOtherValuesOfADuplicate() {
        user.with(LOGIN, EMAIL);
        CompletableFuture<Void> insert = insert();
        Sent login = user.among(CREATE);
        user.next(CREATE_EMAIL).refused(settled("2", 5));
        login.done();
        user.next("read 2").shows(ShownRow.of("2", "a", 5));
        Sent withdraw = user.next("withdraw login 1:a");
        assertThat(withdraw.id).isEqualTo(login.claim().claimId());
        assertThat(insert).isNotDone();
        withdraw.fails(Sent.lost());
        assertThat(failureOf(insert)).isInstanceOf(DuplicateValueException.class);
    }

    // ---- no answer

    @Test
    void withdrawsWhatItMayHaveCreated() {
        user.with(LOGIN, EMAIL);
        CompletableFuture<Void> insert = insert();
        Sent login = user.among(CREATE);
        Sent email = user.next(CREATE_EMAIL);
        login.fails(Sent.lost());
        email.done();
        Sent unclear = user.among("withdraw login 1:a");
        assertThat(unclear.id).isEqualTo(login.id);
        unclear.done();
        user.next("withdraw email 6:a@host").done();
        assertThat(failureOf(insert)).isInstanceOf(ClaimsUnavailableException.class);
        user.nothingSent();
    }

    // ---- the value is the row's already

    @Test
    void joinsALaterClaimOfItsOwnRow() {
        CompletableFuture<Void> insert = insert();
        Sent create = user.next(CREATE);
        SeenClaim later = settled("1", user.now() + 9);
        create.refused(later);
        Sent join = user.next("join login 1:a");
        assertThat(join.seen).isEqualTo(later.claim().claimId());
        assertThat(join.id).isNotEqualTo(create.claim().claimId());
        join.done();
        user.next("read 1").shows(ShownRow.of("1", "z", 30));
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(create.claim().writeTs());
        write.done();
        user.next("release login 1:z").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void raisesAnOlderClaimOfItsOwnRow() {
        CompletableFuture<Void> insert = insert();
        user.next(CREATE).refused(settled("1", 40));
        Sent raise = user.next("raise login 1:a");
        assertThat(raise.timestamp).isEqualTo(user.now());
        raise.done();
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
}
