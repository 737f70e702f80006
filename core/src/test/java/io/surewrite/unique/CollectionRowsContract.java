package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.Patience;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the guard relies on of a table with a set, beside what {@link ConstrainedRowsContract} says of every table. */
abstract class CollectionRowsContract {

    /** With a constraint on {@code c0}, and {@code c1} a set. */
    static final SimShape ONE = SimShape.COLLECTING.get(0);

    final String key = UUID.randomUUID().toString();

    abstract ConstrainedRows rows();

    /**
     * A write of the row of {@link #key} with its nulls.
     *
     * @param elements with a plus between two
     */
    abstract EntityWrite save(String c0, @Nullable String elements);

    /** A write of the row of {@link #key} in the place of what is there. */
    abstract EntityWrite overwrite(String c0, @Nullable String elements);

    /** {@return the elements of the row of {@link #key} in their order, with a plus between two} */
    @Nullable
    abstract String shown();

    abstract Patience patience();

    @Test
    void leavesNothingOfAnEarlierSave() {
        write(save("a", "r+s"), 10);
        assertThat(shown()).isEqualTo("r+s");
        write(save("a", "t"), 20);
        write(save("a", "t"), 20);
        write(save("a", "late"), 15);
        assertThat(shown()).isEqualTo("t");
        write(save("a", null), 30);
        assertThat(shown()).isNull();
        write(save("a", "late"), 29);
        assertThat(shown()).isNull();
    }

    /** As two plain saves of one timestamp do. */
    @Test
    void unitesTwoSavesOfOneTimestamp() {
        write(save("a", "r+s"), 10);
        write(save("a", "t"), 10);
        write(save("a", null), 10);
        assertThat(shown()).isEqualTo("r+s+t");
    }

    @Test
    void overwritesAllElements() {
        write(save("a", "r+s"), 10);
        write(overwrite("a", "t"), 20);
        write(save("a", "late"), 19);
        assertThat(shown()).isEqualTo("t");
        write(overwrite("a", null), 30);
        assertThat(shown()).isNull();
    }

    @Test
    void deletesAllElements() {
        write(save("a", "r+s"), 10);
        patience().await(rows().delete(owner(), 10));
        write(save("late", "late"), 10);
        assertThat(shown()).isNull();
        assertThat(read().exists()).isFalse();
    }

    @Test
    void restoresTheElementsAndLeavesNoOthers() {
        write(save("a", "r+s"), 10);
        RowSnapshot read = patience().await(rows().readToRestore(owner()));
        restore(read, 30);
        restore(read, 30);
        assertThat(read().newestWrite()).isEqualTo(30);
        write(save("late", "late"), 29);
        assertThat(shown()).isEqualTo("r+s");
        write(save("a", "t"), 31);
        assertThat(shown()).isEqualTo("t");
    }

    @Test
    void restoresThatThereAreNoElements() {
        write(save("a", null), 10);
        RowSnapshot read = patience().await(rows().readToRestore(owner()));
        restore(read, 30);
        write(save("late", "late"), 29);
        assertThat(shown()).isNull();
        write(save("a", "t"), 30);
        assertThat(shown()).isEqualTo("t");
    }

    private String owner() {
        return save("a", null).owner();
    }

    private RowSnapshot read() {
        return patience().await(rows().read(owner()));
    }

    private void write(EntityWrite write, long timestamp) {
        patience().await(write.writing().apply(timestamp));
    }

    private void restore(RowSnapshot row, long timestamp) {
        patience().await(rows().restore(row, timestamp));
    }
}
