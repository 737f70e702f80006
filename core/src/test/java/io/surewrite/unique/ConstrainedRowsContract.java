package io.surewrite.unique;

import static io.surewrite.unique.RowSnapshot.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.Patience;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the guard relies on of an entity's table: how timestamps decide between writes, whatever the order they come in. */
abstract class ConstrainedRowsContract {

    /** With a constraint on {@code c0}, one on {@code c1}, and {@code c2} free. */
    static final SimShape TWO = SimShape.ALL.get(1);

    final String key = UUID.randomUUID().toString();

    /** {@return the rows of a table with these constraints} */
    abstract ConstrainedRows rows(SimShape shape);

    /** {@return a write of the row of {@link #key} with its nulls} */
    abstract EntityWrite save(@Nullable String c0, @Nullable String c1, @Nullable String c2);

    /** {@return a write of the row of {@link #key} in the place of what is there} */
    abstract EntityWrite overwrite(@Nullable String c0, @Nullable String c1, @Nullable String c2);

    abstract Patience patience();

    /** A row as a read shows it. */
    private record Shown(
            boolean exists,
            @Nullable String c0,
            long at0,
            @Nullable String c1,
            long at1,
            long newest) {}

    private static final Shown ABSENT = new Shown(false, null, NEVER, null, NEVER, NEVER);

    @Test
    void showsEachColumnWithTheTimestampOfItsWrite() {
        write(save(null, null, null), 9);
        assertThat(shown()).as("nothing but its key").isEqualTo(new Shown(true, null, NEVER, null, NEVER, NEVER));
        write(save("a", null, "x"), 10);
        assertThat(shown()).isEqualTo(new Shown(true, "a", 10, null, NEVER, 10));
        write(save("b", "c", "y"), 11);
        assertThat(shown()).isEqualTo(new Shown(true, "b", 11, "c", 11, 11));
    }

    @Test
    void letsTheLaterTimestampWinWhicheverComesFirst() {
        write(save("new", null, null), 20);
        write(save("old", "old", "old"), 10);
        assertThat(shown()).isEqualTo(new Shown(true, "new", 20, null, NEVER, 20));
    }

    /** Two writes with one timestamp mix, whichever comes first. */
    @Test
    void letsANullOrTheGreaterValueWinAtOneTimestampInEachColumn() {
        write(save("a", "d", null), 10);
        write(save("b", "c", null), 10);
        assertThat(shown()).isEqualTo(new Shown(true, "b", 10, "d", 10, 10));
        write(save("ba", "D", null), 10);
        assertThat(shown()).isEqualTo(new Shown(true, "ba", 10, "d", 10, 10));
        write(save("a", null, null), 11);
        write(save(null, "b", null), 11);
        assertThat(shown()).isEqualTo(new Shown(true, null, NEVER, null, NEVER, NEVER));
    }

    @Test
    void deletesWhatIsAsOldAsTheDeletionOrOlder() {
        write(save("a", "b", "c"), 10);
        delete(10);
        assertThat(shown()).isEqualTo(ABSENT);
        write(save("late", "late", "late"), 10);
        assertThat(shown()).as("dead on arrival").isEqualTo(ABSENT);
        write(save("a", null, null), 11);
        assertThat(shown()).isEqualTo(new Shown(true, "a", 11, null, NEVER, 11));
    }

    @Test
    void deletesNothingThatIsNewer() {
        write(save("a", "b", null), 10);
        delete(9);
        assertThat(shown()).isEqualTo(new Shown(true, "a", 10, "b", 10, 10));
        delete(20);
        delete(10);
        write(save("late", null, null), 20);
        assertThat(shown()).as("the later deletion counts").isEqualTo(ABSENT);
    }

    @Test
    void overwritesWhatIsOlderAndLeavesWhatIsNewer() {
        write(save("a", "b", "c"), 10);
        write(overwrite("d", null, null), 20);
        assertThat(shown()).isEqualTo(new Shown(true, "d", 20, null, NEVER, 20));
        write(save("late", "late", "late"), 19);
        assertThat(shown()).isEqualTo(new Shown(true, "d", 20, null, NEVER, 20));
        write(overwrite("late", "late", null), 15);
        assertThat(shown()).isEqualTo(new Shown(true, "d", 20, null, NEVER, 20));
    }

    /** An overwrite has no tombstone of a column, so a value of its own timestamp stays. */
    @Test
    void leavesAValueOfItsOwnTimestampWhereItOverwritesWithNull() {
        write(save("a", "b", null), 20);
        write(overwrite("c", null, null), 20);
        assertThat(shown()).isEqualTo(new Shown(true, "c", 20, "b", 20, 20));
    }

    @Test
    void restoresARowWithItsNullsOneTickEarlier() {
        write(save("a", null, "c"), 10);
        RowSnapshot read = patience().await(rows(TWO).readToRestore(owner()));
        restore(read, 30);
        restore(read, 30);
        assertThat(shown()).isEqualTo(new Shown(true, "a", 30, null, NEVER, 30));
        write(save("late", "late", "late"), 29);
        assertThat(shown()).isEqualTo(new Shown(true, "a", 30, null, NEVER, 30));
        write(save(null, "new", null), 30);
        assertThat(shown()).as("the null is older").isEqualTo(new Shown(true, null, NEVER, "new", 30, 30));
    }

    /** What it restores is the cells: were there none left, there would be no row. */
    @Test
    void restoresNoRowMarker() {
        write(save("a", null, null), 10);
        RowSnapshot read = patience().await(rows(TWO).readToRestore(owner()));
        restore(read, 30);
        delete(15);
        assertThat(shown()).isEqualTo(new Shown(true, "a", 30, null, NEVER, 30));
        write(save(null, null, null), 12);
        restore(read, 40);
        delete(40);
        assertThat(shown()).isEqualTo(ABSENT);
    }

    @Test
    void restoresNothingOverANewerDeletion() {
        write(save("a", "b", null), 10);
        RowSnapshot read = patience().await(rows(TWO).readToRestore(owner()));
        delete(30);
        restore(read, 30);
        assertThat(shown()).isEqualTo(ABSENT);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void knowsWhatItsConstraintsAreOn(SimShape shape) {
        ConstrainedRows rows = rows(shape);
        assertThat(rows.constraints()).isEqualTo(shape.constraints());
        assertThat(rows.mayMix()).isEqualTo(shape.mayMix());
        assertThat(rows.constraints())
                .allSatisfy(constraint -> assertThat(rows.isNaturalKey(constraint))
                        .isEqualTo(constraint.properties().contains("key")));
        assertThat(rows.constraints()).extracting(UniqueConstraint::name).doesNotContain(rows.rowClaim());
    }

    static List<SimShape> shapes() {
        return SimShape.ALL;
    }

    private String owner() {
        return save(null, null, null).owner();
    }

    private Shown shown() {
        RowSnapshot row = patience().await(rows(TWO).read(owner()));
        assertThat(row.owner()).isEqualTo(owner());
        UniqueConstraint one = TWO.constraints().get(0);
        UniqueConstraint two = TWO.constraints().get(1);
        return new Shown(
                row.exists(),
                text(row, one),
                row.writtenAt(one, 0),
                text(row, two),
                row.writtenAt(two, 0),
                row.newestWrite());
    }

    private static @Nullable String text(RowSnapshot row, UniqueConstraint constraint) {
        return row.value(constraint).map(value -> value.parts().get(0)).orElse(null);
    }

    private void write(EntityWrite write, long timestamp) {
        done(write.writing().apply(timestamp));
    }

    private void delete(long timestamp) {
        done(rows(TWO).delete(owner(), timestamp));
    }

    private void restore(RowSnapshot row, long timestamp) {
        done(rows(TWO).restore(row, timestamp));
    }

    private void done(CompletionStage<Void> stage) {
        patience().await(stage);
    }
}
