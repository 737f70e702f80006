package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.verification.faults.UniqueRows.TaggedEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UniqueCheckerTests {

    /** Longer than a reservation, and no longer a moment. */
    private static final long LONG = 6_000_000_000L;

    private final List<Event> events = new ArrayList<>();
    private final UniqueChecker checker = new UniqueChecker();
    private int calls;

    // ---- each row is one register: RowJudgeTests has what is none ----

    @Test
    void acceptsOwnersThatFollowEachOther() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        read("row1", "a w1", 5, 20);
        delete("row1", Event.ACKNOWLEDGED, 30, 40);
        write("row2", "a w2", Event.ACKNOWLEDGED, 45, 50);
        write("row3", "a w3", Event.REFUSED, 55, 60);
        look(90, 95, "row2", "a w2");

        assertThat(violations()).isEmpty();
    }

    /** What the fault of a save beside a deletion was: a row with a note and without its value. */
    @Test
    void findsATornRow() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        write("row1", "b w2", Event.FAILED, 11, 20);
        read("row1", "null w2", 21, 25);

        assertThat(violations()).singleElement().asString().contains("row1 is torn");
    }

    @Test
    void findsAFailureThatShows() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        write("row1", "a w2", Event.REFUSED, 11, 20);
        read("row1", "a w2", 15, 19);

        assertThat(violations()).singleElement().asString().contains("row1 is failed");
    }

    @Test
    void findsADeletedRowThatComesBack() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        delete("row1", Event.ACKNOWLEDGED, 20, 30);
        read("row1", "a w1", 40, 50);

        assertThat(violations()).singleElement().asString().contains("row1 is order");
    }

    @Test
    void findsARowThatNoLookShows() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        look(5, 20, "row1", "a w1");
        look(21, 25, "row2", "b w2");
        write("row2", "b w2", Event.FAILED, 1, 10);

        assertThat(violations()).singleElement().asString().contains("row1 is order");
    }

    // ---- what a takeover may hide ----

    @Test
    void countsALateWriteThatShowsForAMoment() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        begin("client2", "row1", "b w2", 11);
        read("row1", "b w2", 11 + LONG, 15 + LONG);
        read("row1", "a w1", 20 + LONG, 25 + LONG);
        write("row2", "b w3", Event.ACKNOWLEDGED, 30 + LONG, 35 + LONG);

        assertThat(violations()).isEmpty();
        assertThat(checker.flickers()).isOne();
    }

    /** It waited for a node that was stopped, and came to the row when the late write did. */
    @Test
    void countsALateWriteThatAReadOfBeforeShows() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        begin("client2", "row1", "b w2", 21);
        read("row1", "b w2", 15, 4_000_000_000L);
        read("row1", "a w1", 4_000_000_010L, 4_000_000_020L);

        assertThat(violations()).isEmpty();
        assertThat(checker.flickers()).isOne();
    }

    /** That began first and ended last. */
    @Test
    void countsALateWriteThatSeveralReadsOfBeforeShow() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        begin("client2", "row1", "b w2", 21);
        read("row1", "b w2", 15, 8_000_000_000L);
        read("row1", "b w2", 5_000_000_000L, 7_900_000_000L);
        read("row1", "a w1", 7_950_000_000L, 7_960_000_000L);
        read("row1", "a w1", 8_000_000_010L, 8_000_000_020L);

        assertThat(violations()).isEmpty();
        assertThat(checker.flickers()).isOne();
    }

    @Test
    void findsALateWriteThatIsUndoneAfterAWhile() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        begin("client2", "row1", "b w2", 11);
        read("row1", "b w2", 11 + LONG, 15 + LONG);
        read("row1", "b w2", 11 + 2 * LONG, 15 + 2 * LONG);
        read("row1", "a w1", 11 + 3 * LONG, 15 + 3 * LONG);

        assertThat(violations()).singleElement().asString().contains("row1 is order");
    }

    @Test
    void findsAWriteThatIsUndoneBeforeAnyTakeover() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        begin("client2", "row1", "b w2", 11);
        read("row1", "b w2", 21, 25);
        read("row1", "a w1", 31, 35);

        assertThat(violations()).singleElement().asString().contains("row1 is order");
    }

    // ---- no two rows have one value ----

    @Test
    void findsTwoOwnersUntilTheFirstIsDeleted() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        write("row2", "a w2", Event.ACKNOWLEDGED, 11, 20);
        delete("row1", Event.ACKNOWLEDGED, 30, 40);

        assertThat(violations()).containsExactly("two owners of a: table row1 and table row2");
    }

    @Test
    void findsTwoOwnersUntilTheFirstTakesAnotherValue() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        write("row1", "a w2", Event.ACKNOWLEDGED, 11, 20);
        read("row2", "a w3", 21, 25);
        write("row1", "b w4", Event.ACKNOWLEDGED, 30, 40);
        begin("client2", "row2", "a w3", 1);

        assertThat(violations()).containsExactly("two owners of a: table row1 and table row2");
    }

    /** The deletion has worked before the other row got the value, or after it was lost again. */
    @Test
    void doesNotAccuseARowThatMayBeDeletedAlready() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        delete("row1", Event.FAILED, 20, 30);
        write("row2", "a w2", Event.ACKNOWLEDGED, 31, 40);
        delete("row1", Event.ACKNOWLEDGED, 50, 60);

        assertThat(violations()).isEmpty();
    }

    /** A save may be dead on arrival, under another of its row. */
    @Test
    void doesNotAccuseASaveBesideAnother() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        write("row1", "b w2", Event.ACKNOWLEDGED, 5, 12);
        write("row2", "a w3", Event.ACKNOWLEDGED, 20, 25);

        assertThat(violations()).isEmpty();
    }

    /** The one may be gone by the time the other comes. */
    @Test
    void doesNotAccuseRowsOfOneLongLook() {
        write("row1", "a w1", Event.ACKNOWLEDGED, 1, 10);
        look(15, 60, "row1", "a w1", "row2", "a w2");
        delete("row1", Event.ACKNOWLEDGED, 20, 30);
        write("row2", "a w2", Event.ACKNOWLEDGED, 31, 40);

        assertThat(violations()).isEmpty();
    }

    // ---- what rows are made of ----

    @Test
    void tellsWritesFromTheirMixtures() {
        TaggedEntry one = TaggedEntry.written(UUID.randomUUID(), "a");
        TaggedEntry other = TaggedEntry.written(one.id(), "a");
        Set<String> roles = new HashSet<>(one.roles());
        roles.addAll(other.roles());
        Map<String, String> none = Map.of();

        assertThat(UniqueChecker.value(one.content())).isEqualTo("a");
        assertThat(List.of(
                        one.content(),
                        other.content(),
                        new TaggedEntry(one.id(), "a", roles, one.notes()).content(),
                        new TaggedEntry(one.id(), "a", other.roles(), one.notes()).content(),
                        new TaggedEntry(one.id(), "a", one.roles(), none).content(),
                        new TaggedEntry(one.id(), null, one.roles(), one.notes()).content()))
                .doesNotHaveDuplicates();
        assertThat(new TaggedEntry(one.id(), "a", null, null).content())
                .isEqualTo(new TaggedEntry(one.id(), "a", Set.of(), none).content());
    }

    private List<String> violations() {
        return checker.violations(events);
    }

    private int begin(String who, String row, @Nullable String content, long at) {
        events.add(new Event(who, Event.BEGUN, "table " + row, content, ++calls, at, at));
        return calls;
    }

    private void write(String row, String content, String end, long from, long to) {
        int call = begin("client1", row, content, from);
        events.add(new Event("client1", end, "table " + row, call, from, to));
    }

    private void delete(String row, String end, long from, long to) {
        int call = begin("client1", row, null, from);
        events.add(new Event("client1", end, "table " + row, call, from, to));
    }

    private void read(String row, String content, long from, long to) {
        events.add(new Event("client2", Event.READ, "table " + row, content, 0, from, to));
    }

    private void look(long from, long to, String... rowsAndContents) {
        int look = ++calls;
        for (int i = 0; i < rowsAndContents.length; i += 2) {
            events.add(new Event(
                    "nemesis", Event.READ, "table " + rowsAndContents[i], rowsAndContents[i + 1], look, from, to));
        }
        events.add(new Event("nemesis", Event.LOOKED, "table", look, from, to));
    }
}
