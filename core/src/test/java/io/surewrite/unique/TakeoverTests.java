package io.surewrite.unique;

import static io.surewrite.unique.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.ScriptedGuard.failureOf;
import static io.surewrite.unique.ScriptedGuard.reserved;
import static io.surewrite.unique.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.ClaimStore.SeenClaim;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How an insert takes a value over from a writer whose row does not carry it, answer by answer. */
class TakeoverTests {

    private static final String CREATE = "create login 1:a";
    private static final String FENCE = "fence row of user 2";
    private static final String RAISE_FENCE = "raise fence of row of user 2";
    private static final String READ = "read to restore 2";
    private static final String PROTECT = "protect login 1:z";

    private final ScriptedGuard user = new ScriptedGuard();
    private final SeenClaim former = settled("2", 40);
    private final CompletableFuture<Void> insert = user.insert();
    private final Sent create = user.next(CREATE);

    /** The first look at the other's row shows an older value; now the row is to be fenced. */
    private Sent fences() {
        create.refused(former);
        user.next("read 2").shows(ShownRow.of("2", "z", 30));
        return user.next(FENCE);
    }

    /** The row is fenced, and still has the older value, which is to be protected. */
    private Sent protects() {
        fences().done();
        user.next(READ).shows(ShownRow.of("2", "z", 30));
        return user.next(PROTECT);
    }

    /** It begins with the fence again, and the row has a claim of its own now. */
    private Sent fencesAgain(SeenClaim row) {
        user.next(FENCE).refused(row);
        Sent raise = user.next(RAISE_FENCE);
        assertThat(raise.seen).isEqualTo(row.claim().claimId());
        return raise;
    }

    private void takesOver() {
        Sent take = user.next("take login 1:a");
        assertThat(take.seen).isEqualTo(former.claim().claimId());
        assertThat(take.claim()).isEqualTo(create.claim());
        take.done();
        assertThat(user.events).containsExactly("taken over");
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(create.claim().writeTs());
        write.done();
        assertThat(insert).isCompleted();
    }

    private void standsBack() {
        user.nextAfter(FIRST_PAUSE, CREATE);
    }

    @Test
    void isADuplicateWhereTheValueCameAtLast() {
        fences().done();
        user.next(READ).shows(ShownRow.of("2", "a", 40));
        assertThat(failureOf(insert)).isInstanceOf(DuplicateValueException.class);
        user.nothingSent();
    }

    @Test
    void fencesAboveTheClaimThatTheRowHas() {
        SeenClaim row = settled("2", 70);
        fences().refused(row);
        Sent raise = user.next(RAISE_FENCE);
        assertThat(raise.seen).isEqualTo(row.claim().claimId());
        assertThat(raise.timestamp).isEqualTo(71);
        raise.done();
        user.next(READ).shows(ShownRow.absent("2"));
        Sent delete = user.next("delete 2");
        assertThat(delete.timestamp).as("kills no more than the claim covers").isEqualTo(40);
        delete.done();
        takesOver();
    }

    @Test
    void standsBackBeforeAClaimOfTheRowThatIsAheadOfTheClock() {
        fences().refused(settled("2", user.now()));
        standsBack();
    }

    @Test
    void goesAboveTheFenceOfAnotherTakeover() {
        fences().refused(settled("2", 7));
        Sent first = user.next(RAISE_FENCE);
        assertThat(first.timestamp).isEqualTo(41);
        first.refused(settled("", 0));
        Sent second = fencesAgain(settled("2", 41));
        assertThat(second.timestamp).isEqualTo(42);
        assertThat(second.id).isNotEqualTo(first.id);
    }

    @Test
    void deletesARowThatIsNotThere() {
        create.refused(former);
        user.next("read 2").shows(ShownRow.absent("2"));
        Sent fence = user.next(FENCE);
        assertThat(fence.claim().owner()).isEqualTo("2");
        assertThat(fence.timestamp).isEqualTo(41);
        fence.done();
        user.next(READ).shows(ShownRow.absent("2"));
        Sent delete = user.next("delete 2");
        assertThat(delete.timestamp).isEqualTo(40);
        user.nothingSent();
        delete.done();
        takesOver();
    }

    @Test
    void protectsTheRowsValueAndRestoresItAtTheFence() {
        Sent protect = protects();
        assertThat(protect.claim().owner()).isEqualTo("2");
        assertThat(protect.claim().writeTs()).isEqualTo(41);
        protect.done();
        Sent restore = user.next("restore 2");
        assertThat(restore.timestamp).isEqualTo(41);
        restore.done();
        takesOver();
    }

    /** It may be about to write what a restoration at its timestamp or below would then lie under, and mix with. */
    @Test
    void standsBackBeforeAWriterHoweverHighItsClaim() {
        protects().refused(reserved("2", 90));
        standsBack();
    }

    /** Both were there before the constraint, and the other has the claim. */
    @Test
    void restoresARowWhoseValueIsADuplicate() {
        protects().refused(settled("3", 90));
        user.next("read 3").shows(ShownRow.of("3", "z", 90));
        // It may have come late, and be on its way out: the row is read once more.
        fencesAgain(settled("2", 41)).done();
        user.next("read to restore 2").shows(ShownRow.of("2", "z", 5));
        user.next("protect login 1:z").refused(settled("3", 90));
        user.next("read 3").shows(ShownRow.of("3", "z", 90));
        Sent restore = user.next("restore 2");
        assertThat(restore.timestamp).isEqualTo(42);
        restore.done();
        takesOver();
    }

    /** The other has it since this row gave it up, which the first read did not show. */
    @Test
    void restoresNoValueThatTheRowHasGivenUpMeanwhile() {
        protects().refused(settled("3", 90));
        user.next("read 3").shows(ShownRow.of("3", "z", 90));
        fencesAgain(settled("2", 41)).done();
        user.next(READ).shows(ShownRow.of("2", "y", 60));
        takesOver();
    }
}
