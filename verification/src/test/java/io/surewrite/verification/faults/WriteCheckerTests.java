package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteCheckerTests {

    private static final Map<String, String> WHAT =
            Map.of("begun", Event.BEGUN, "done", Event.ACKNOWLEDGED, "failed", Event.FAILED, "read", Event.READ);

    /** Each event has a version, its begin and its end. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            lost      | begun 1 0 0, done 1 0 10, read 0 20 30              | version 1 was acknowledged | shows 0
            older     | begun 1 0 0, begun 2 20 20, done 2 20 30, read 1 40 50 | version 2 was acknowledged | shows 1
            back      | begun 1 0 0, begun 2 10 10, read 2 20 30, read 1 40 50 | version 2 was read | shows 1
            of nobody | begun 1 0 0, read 2 20 30                           | nobody wrote |
            twice     | begun 1 0 0, begun 1 10 10                          | written twice |
            """)
    void findsAWriteThatIs(String name, String history, String found, String shows) {
        assertThat(violations(history))
                .singleElement()
                .asString()
                .contains(found)
                .contains(shows == null ? "" : shows);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            the newest, and of what is under way | begun 1 0 0, done 1 0 10, read 1 20 30, begun 2 40 40, read 1 41 45, \
            read 2 46 50, done 2 40 60, read 2 70 80
            what failed, there or not | begun 1 0 0, done 1 0 10, begun 2 20 20, failed 2 20 30, read 1 40 50, read 2 60 70
            """)
    void acceptsReadsOf(String name, String history) {
        assertThat(violations(history)).isEmpty();
    }

    private static List<Violation> violations(String history) {
        List<Event> events = Stream.of(history.split(", ", -1))
                .map(event -> event.split(" ", -1))
                .map(it -> new Event("a", WHAT.get(it[0]), "row", number(it[1]), number(it[2]), number(it[3])))
                .toList();
        return new WriteChecker().violations(events);
    }

    private static long number(String text) {
        return Long.parseLong(text);
    }
}
