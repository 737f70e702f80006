package io.surewrite.verification.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.mapping.Table;

/** What clients wrote: states, which keep the last version, and notes, which keep all. */
final class WrittenRows {

    static final List<String> TABLES = List.of(
            "CREATE TABLE state_row (id text PRIMARY KEY, a bigint, b bigint, c bigint, d bigint,"
                    + " tags set<bigint>, squares map<bigint, bigint>)",
            "CREATE TABLE note_row (id uuid PRIMARY KEY, subject text)");

    /** What a row reads as that is a mix of versions. */
    static final long MIX = -1;

    /** A row of one version: even ones have {@code a} and {@code b}, odd ones {@code c} and {@code d}; all have the tag. */
    @Table("state_row")
    record State(
            @Id String id,
            @Nullable Long a,
            @Nullable Long b,
            @Nullable Long c,
            @Nullable Long d,
            @Nullable Set<Long> tags,
            @Nullable Map<Long, Long> squares) {

        static State of(String id, long version) {
            boolean even = version % 2 == 0;
            return new State(
                    id,
                    even ? version : null,
                    even ? version : null,
                    even ? null : version,
                    even ? null : version,
                    Set.of(version),
                    even ? null : Map.of(version, version));
        }

        /** {@return the one that wrote all of it}, or {@link #MIX} */
        long version() {
            long version =
                    tags == null || tags.size() != 1 ? MIX : tags.iterator().next();
            return equals(of(id, version)) ? version : MIX;
        }
    }

    /** A row that is written once. Its id comes from the client, filled in before the first attempt. */
    @Table("note_row")
    record Note(@Id @Nullable UUID id, String subject) {}

    private WrittenRows() {}

    /** Reads all; a note that is there twice reads as version 2, which nobody wrote. */
    static void readAll(CassandraOperations rows, History history) {
        long from = System.nanoTime();
        rows.select("SELECT * FROM state_row", State.class)
                .forEach(row -> history.add(Event.READ, row.id(), row.version(), from));
        Map<String, Long> notes = new HashMap<>();
        rows.select("SELECT * FROM note_row", Note.class).forEach(row -> notes.merge(row.subject(), 1L, Long::sum));
        notes.forEach((subject, times) -> history.add(Event.READ, subject, times, from));
    }

    /** {@return what is missing, older than it should be, a mix, or there twice} */
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
}
