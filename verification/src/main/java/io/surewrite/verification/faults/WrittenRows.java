package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What clients wrote into counters, which keep the last version, and notes, which keep all. */
final class WrittenRows {

    private WrittenRows() {}

    static void create(CqlSession session) {
        session.execute("CREATE TABLE counter_row (id text PRIMARY KEY, version bigint)");
        session.execute("CREATE TABLE note_row (id uuid PRIMARY KEY, subject text)");
    }

    /** Reads all; a note that is there twice reads as version 2, which nobody wrote. */
    static void readAtTheEnd(CqlSession session, History history) {
        for (Row row : session.execute("SELECT id, version FROM counter_row")) {
            history.add(Event.READ, string(row, "id"), row.getLong("version"), System.nanoTime());
        }
        Map<String, Long> notes = new HashMap<>();
        session.execute("SELECT subject FROM note_row")
                .forEach(row -> notes.merge(string(row, "subject"), 1L, Long::sum));
        notes.forEach((subject, times) -> history.add(Event.READ, subject, times, System.nanoTime()));
    }

    private static String string(Row row, String column) {
        return Objects.requireNonNull(row.getString(column));
    }

    /** {@return what is missing, older than it should be, or there twice} */
    static List<Violation> violations(List<Event> events) {
        List<Violation> violations = new ArrayList<>(new WriteChecker().violations(events));
        Set<String> read = new HashSet<>();
        events.stream().filter(event -> event.is(Event.READ)).forEach(event -> read.add(event.subject()));
        events.stream()
                .filter(event -> event.is(Event.ACKNOWLEDGED) && !read.contains(event.subject()))
                .map(Event::subject)
                .forEach(subject ->
                        violations.add(new Violation(subject, true, subject + " was acknowledged and is not there")));
        return violations;
    }

    static long count(List<Event> events, String what) {
        return events.stream().filter(event -> event.is(what)).count();
    }

    static long sum(List<Event> events, String what) {
        return events.stream()
                .filter(event -> event.is(what))
                .mapToLong(Event::number)
                .sum();
    }
}
