package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.verification.faults.UniqueRows.TaggedEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Histories of rows of one table. A row has a value and a note, {@code a.w1}; numbers are when an event began and ended, and {@code 6s}
 * is longer than a reservation, and no longer a moment.
 */
class UniqueCheckerTests {

    /** What its caller was told of a call. */
    private static final Map<String, String> ENDS = Map.of(
            "save", Event.ACKNOWLEDGED, "delete", Event.ACKNOWLEDGED, "fail", Event.FAILED, "refuse", Event.REFUSED);

    private final List<Event> events = new ArrayList<>();
    private final UniqueChecker checker = new UniqueChecker();
    private int calls;

    /** Each row is one register: RowJudgeTests has more that is none. No two rows have one value. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # What the fault of a save beside a deletion was: a row with a note and without its value.
            a torn row                     | save row1=a.w1 1 10, fail row1=b.w2 11 20, read row1=null.w2 21 25 | row1 is torn
            a failure that shows           | save row1=a.w1 1 10, refuse row1=a.w2 11 20, read row1=a.w2 15 19 | row1 is failed
            a deleted row that comes back  | save row1=a.w1 1 10, delete row1 20 30, read row1=a.w1 40 50 | row1 is order
            a row that no look shows       | save row1=a.w1 1 10, look 5 20 row1=a.w1, look 21 25 row2=b.w2, fail row2=b.w2 1 10 \
                                           | row1 is order
            a late write undone at last    | save row1=a.w1 1 10, begin row1=b.w2 11, read row1=b.w2 11+6s 15+6s, \
                                             read row1=b.w2 11+12s 15+12s, read row1=a.w1 11+18s 15+18s | row1 is order
            undone before any takeover     | save row1=a.w1 1 10, begin row1=b.w2 11, read row1=b.w2 21 25, read row1=a.w1 31 35 \
                                           | row1 is order
            two owners, then one deleted   | save row1=a.w1 1 10, save row2=a.w2 11 20, delete row1 30 40 \
                                           | two owners of a: table row1 and table row2
            two owners, then another value | save row1=a.w1 1 10, save row1=a.w2 11 20, read row2=a.w3 21 25, \
                                             save row1=b.w4 30 40, begin row2=a.w3 1 | two owners of a: table row1 and table row2
            """)
    void finds(String name, String history, String found) {
        assertThat(violations(history)).singleElement().asString().contains(found);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            owners one after the other     | save row1=a.w1 1 10, read row1=a.w1 5 20, delete row1 30 40, save row2=a.w2 45 50, \
                                             refuse row3=a.w3 55 60, look 90 95 row2=a.w2 | 0
            # A takeover may hide a late write that shows for a moment.
            a late write of a moment       | save row1=a.w1 1 10, begin row1=b.w2 11, read row1=b.w2 11+6s 15+6s, \
                                             read row1=a.w1 20+6s 25+6s, save row2=b.w3 30+6s 35+6s | 1
            # It waited for a node that was stopped, and came to the row when the late write did.
            shown by a read of before      | save row1=a.w1 1 10, begin row1=b.w2 21, read row1=b.w2 15 4s, read row1=a.w1 10+4s 20+4s | 1
            # The one that began first ended last.
            shown by several of before     | save row1=a.w1 1 10, begin row1=b.w2 21, read row1=b.w2 15 8s, read row1=b.w2 5s 7s, \
                                             read row1=a.w1 50+7s 60+7s, read row1=a.w1 10+8s 20+8s | 1
            # The deletion has worked before the other row got the value, or after it was lost again.
            a row that may be deleted      | save row1=a.w1 1 10, fail row1 20 30, save row2=a.w2 31 40, delete row1 50 60 | 0
            # It may be dead on arrival, under another of its row.
            a save beside another          | save row1=a.w1 1 10, save row1=b.w2 5 12, save row2=a.w3 20 25 | 0
            # The one may be gone by the time the other comes.
            rows of one long look          | save row1=a.w1 1 10, look 15 60 row1=a.w1 row2=a.w2, delete row1 20 30, \
                                             save row2=a.w2 31 40 | 0
            """)
    void accepts(String name, String history, int flickers) {
        assertThat(violations(history)).isEmpty();
        assertThat(checker.flickers()).isEqualTo(flickers);
    }

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

    private List<String> violations(String history) {
        Stream.of(history.split(", +", -1)).map(event -> event.split(" ", -1)).forEach(this::happens);
        return checker.violations(events);
    }

    private void happens(String... words) {
        switch (words[0]) {
            case "begin" -> begin("client2", words[1], time(words[2]));
            case "read" -> read("client2", words[1], 0, time(words[2]), time(words[3]));
            case "look" -> {
                int look = ++calls;
                Stream.of(words).skip(3).forEach(row -> read("nemesis", row, look, time(words[1]), time(words[2])));
                events.add(new Event("nemesis", Event.LOOKED, "table", look, time(words[1]), time(words[2])));
            }
            default -> {
                int call = begin("client1", words[1], time(words[2]));
                events.add(new Event(
                        "client1", ENDS.get(words[0]), subject(words[1]), call, time(words[2]), time(words[3])));
            }
        }
    }

    private int begin(String who, String row, long at) {
        events.add(new Event(who, Event.BEGUN, subject(row), content(row), ++calls, at, at));
        return calls;
    }

    private void read(String who, String row, int look, long from, long to) {
        events.add(new Event(who, Event.READ, subject(row), content(row), look, from, to));
    }

    private static String subject(String row) {
        return "table " + row.replaceFirst("=.*", "");
    }

    /** Null for a deletion. */
    private static @Nullable String content(String row) {
        return row.contains("=") ? row.replaceFirst(".*=", "").replace('.', ' ') : null;
    }

    /** In nanoseconds. */
    private static long time(String text) {
        return Stream.of(text.split("\\+", -1))
                .mapToLong(part -> part.endsWith("s")
                        ? Long.parseLong(part.replace("s", "")) * 1_000_000_000
                        : Long.parseLong(part))
                .sum();
    }
}
