package io.surewrite.internal.lwt;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.internal.lwt.Settlement.Ours;
import io.surewrite.internal.lwt.Settlement.Shown;
import io.surewrite.internal.lwt.Settlement.Whose;
import io.surewrite.write.AttemptNotes;
import io.surewrite.write.WriteScope;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whose write it is that a row shows. */
class SettlementTests {

    private static final ByteBuffer MINE = ByteBuffer.wrap(new byte[] {1});
    private static final ByteBuffer THEIRS = ByteBuffer.wrap(new byte[] {2});

    private final AttemptNotes notes = new WriteScope(1, true, true, null, null).statements();

    private Whose whose(Ours ours, @Nullable Shown row) {
        return new Settlement(
                        null,
                        notes,
                        () -> ours,
                        shown -> null,
                        () -> CompletableFuture.completedFuture(Optional.empty()))
                .whose(row);
    }

    private static Ours update(@Nullable ByteBuffer writeId) {
        return new Ours("t", false, writeId, false, 3L, 4L);
    }

    @Test
    void itIsOursByWriteIdAndVersion() {
        assertThat(whose(update(MINE), new Shown(MINE, 4L))).isEqualTo(Whose.OURS);
        assertThat(whose(update(MINE), new Shown(MINE, 3L)))
                .as("of an attempt before")
                .isEqualTo(Whose.UNDECIDED);
        assertThat(whose(update(MINE), new Shown(THEIRS, 4L))).isEqualTo(Whose.ANOTHERS);
        assertThat(whose(update(MINE), new Shown(THEIRS, 5L)))
                .as("ours may lie below")
                .isEqualTo(Whose.UNDECIDED);
        assertThat(whose(update(MINE), null)).isEqualTo(Whose.UNDECIDED);
    }

    @Test
    void whatAnAttemptBeforeWroteWithOtherValuesIsUndecided() {
        UUID made = notes.nextWriteId("row");
        ByteBuffer before = ByteBuffer.allocate(16)
                .putLong(made.getMostSignificantBits())
                .putLong(made.getLeastSignificantBits())
                .flip();
        assertThat(whose(update(MINE), new Shown(before, 4L))).isEqualTo(Whose.UNDECIDED);
    }

    @Test
    void withoutAWriteIdNothingIsGuessed() {
        assertThat(whose(update(null), new Shown(null, 4L))).isEqualTo(Whose.UNDECIDED);
    }

    @Test
    void aTextThatCountsNoVersionIsKnownByItsIdAlone() {
        Ours text = new Ours("t", false, MINE, false, null, null);
        assertThat(whose(text, new Shown(MINE, null))).isEqualTo(Whose.OURS);
        assertThat(whose(text, new Shown(THEIRS, null))).isEqualTo(Whose.UNDECIDED);
    }

    @Test
    void aDeletionIsLostToALaterVersionAlone() {
        Ours deletion = new Ours("t", true, null, false, 3L, null);
        assertThat(whose(deletion, new Shown(null, 4L))).isEqualTo(Whose.ANOTHERS);
        assertThat(whose(deletion, new Shown(null, 3L))).isEqualTo(Whose.UNDECIDED);
        assertThat(whose(deletion, null)).isEqualTo(Whose.UNDECIDED);
    }

    @Test
    void anInsertUnderAnIdOfTheCallIsOurs() {
        assertThat(whose(new Ours("t", false, null, true, null, 0L), new Shown(null, 7L)))
                .isEqualTo(Whose.OURS);
    }
}
