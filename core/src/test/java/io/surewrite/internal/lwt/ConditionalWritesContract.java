package io.surewrite.internal.lwt;

import static io.surewrite.internal.lwt.ConditionalWritesContract.Fate.ANSWERED;
import static io.surewrite.internal.lwt.ConditionalWritesContract.Fate.ANSWER_LOST;
import static io.surewrite.internal.lwt.ConditionalWritesContract.Fate.LATE;
import static io.surewrite.internal.lwt.ConditionalWritesContract.Fate.REQUEST_LOST;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What claims and leases rely on: a conditional write is repeated until it is known what became of it. */
abstract class ConditionalWritesContract {

    /** What becomes of an attempt. */
    enum Fate {
        ANSWERED,
        REQUEST_LOST,
        ANSWER_LOST,
        /** It arrives when {@link #lateOnesArrive} is called. */
        LATE
    }

    /** What becomes of a write. */
    enum End {
        APPLIED,
        REJECTED,
        UNKNOWN
    }

    /** The row that all write. */
    record Shown(@Nullable String token, @Nullable Long fence) {}

    /** What is known of a write. */
    record Known(End end, @Nullable Shown row) {}

    private static final Known APPLIED = new Known(End.APPLIED, null);
    private static final Known UNKNOWN = new Known(End.UNKNOWN, null);

    /** Sets the token if there is none; a refusal shows the token. */
    abstract Known take(String token, Fate... fates);

    /** Removes the token if it is this one; a refusal shows the token. */
    abstract Known free(String token, Fate... fates);

    /** Sets token and fence if the fence there is lower; a refusal shows both. */
    abstract Known write(String token, long fence, Fate... fates);

    abstract void lateOnesArrive();

    abstract Shown row();

    @Test
    void showsTheRowThatRefusedIt() {
        assertThat(take("a", ANSWERED)).isEqualTo(APPLIED);
        assertThat(take("b", ANSWERED)).isEqualTo(refusedBy("a"));
        assertThat(free("b", ANSWERED)).isEqualTo(refusedBy("a"));
        assertThat(row().token()).isEqualTo("a");
    }

    @Test
    void showsNothingOfARowThatIsNotThere() {
        assertThat(free("a", ANSWERED)).isEqualTo(new Known(End.REJECTED, null));
        assertThat(write("a", 5, ANSWERED)).as("nothing is less than 5").isEqualTo(new Known(End.REJECTED, null));
    }

    @Test
    void takesANullForNoToken() {
        take("a", ANSWERED);
        assertThat(free("a", ANSWERED)).isEqualTo(APPLIED);
        assertThat(row().token()).isNull();
        assertThat(take("b", ANSWERED)).isEqualTo(APPLIED);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"REQUEST_LOST", "ANSWER_LOST", "LATE"})
    void goesOnUntilItIsAnswered(Fate fate) {
        assertThat(take("a", fate, fate, ANSWERED)).isEqualTo(APPLIED);
        lateOnesArrive();
        assertThat(row().token()).isEqualTo("a");
    }

    @Test
    void isUnknownIfItIsNeverAnswered() {
        assertThat(take("a", ANSWER_LOST)).isEqualTo(UNKNOWN);
        assertThat(row().token()).as("in effect").isEqualTo("a");
        assertThat(free("a", REQUEST_LOST)).isEqualTo(UNKNOWN);
        assertThat(row().token()).as("not in effect").isEqualTo("a");
    }

    @Test
    void mayComeIntoEffectLongAfterItWasGivenUp() {
        assertThat(take("a", LATE)).isEqualTo(UNKNOWN);
        assertThat(row()).isEqualTo(new Shown(null, null));
        lateOnesArrive();
        assertThat(row().token()).isEqualTo("a");
        assertThat(take("b", ANSWERED)).isEqualTo(refusedBy("a"));
    }

    @Test
    void changesNothingLateOnceAnotherHasDecided() {
        assertThat(take("a", LATE)).isEqualTo(UNKNOWN);
        assertThat(take("b", ANSWERED)).isEqualTo(APPLIED);
        lateOnesArrive();
        assertThat(row().token()).isEqualTo("b");
        assertThat(free("b", LATE)).isEqualTo(UNKNOWN);
        assertThat(free("b", ANSWERED)).isEqualTo(APPLIED);
        take("c", ANSWERED);
        lateOnesArrive();
        assertThat(row().token()).isEqualTo("c");
    }

    @Test
    void refusesALowerFenceAndShowsTheHigher() {
        take("a", ANSWERED);
        assertThat(write("b", 5, ANSWERED))
                .as("null is not less")
                .isEqualTo(new Known(End.REJECTED, new Shown("a", null)));
        begin(5);
        assertThat(write("b", 7, ANSWERED)).isEqualTo(APPLIED);
        Known refused = new Known(End.REJECTED, new Shown("b", 7L));
        assertThat(write("c", 6, ANSWERED)).isEqualTo(refused);
        assertThat(write("c", 7, ANSWERED)).as("the same").isEqualTo(refused);
        assertThat(write("c", 8, LATE)).isEqualTo(UNKNOWN);
        assertThat(write("d", 9, ANSWERED)).isEqualTo(APPLIED);
        lateOnesArrive();
        assertThat(row()).isEqualTo(new Shown("d", 9L));
    }

    /** However fast they follow each other: their timestamps are the ballots, not the clients'. */
    @Test
    void liesAboveEveryWriteBefore() {
        take("a", ANSWERED);
        begin(0);
        LongStream.rangeClosed(1, 50).forEach(fence -> {
            assertThat(write("w" + fence, fence, ANSWERED)).isEqualTo(APPLIED);
            assertThat(row()).isEqualTo(new Shown("w" + fence, fence));
        });
    }

    /** Sets the first fence. */
    abstract void begin(long fence);

    private static Known refusedBy(String token) {
        return new Known(End.REJECTED, new Shown(token, null));
    }
}
