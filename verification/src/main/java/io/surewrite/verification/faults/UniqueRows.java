package io.surewrite.verification.faults;

import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.testsupport.RowJudge.Outcome;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.UnknownOutcomeException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** A table of rows with unique values. What is done with them, and what they show, is written down with their whole content. */
final class UniqueRows<E extends UniqueRows.Wanting> {

    static final List<String> TABLES = List.of(
            "CREATE TABLE noted_entry (id uuid PRIMARY KEY, label text, note text, remark text)",
            "CREATE TABLE tagged_entry (id uuid PRIMARY KEY, label text, roles set<text>, notes map<text, text>)");

    /** In each table. */
    static final int VALUES = 50;

    /** A row that wants a value for itself. */
    interface Wanting {

        /** {@return its primary key} */
        UUID id();

        /** {@return all of its other columns: the value, a blank, and what tells one write from all others} */
        String content();
    }

    /** A row of plain columns: the note names the write, and so does the remark, or it is null. */
    @Table("noted_entry")
    record NotedEntry(
            @PrimaryKey UUID id,
            @Nullable String label,
            @Nullable String note,
            @Nullable String remark) implements Wanting {

        static NotedEntry written(UUID id, String label) {
            UUID write = UUID.randomUUID();
            return new NotedEntry(
                    id, label, write.toString(), write.getLeastSignificantBits() % 2 == 0 ? null : write.toString());
        }

        @Override
        public String content() {
            return label + " " + note + " " + remark;
        }
    }

    /** A row with collections that are not frozen. Each write of it has elements of its own: two that unite show those of both. */
    @Table("tagged_entry")
    record TaggedEntry(
            @PrimaryKey UUID id,
            @Nullable String label,
            @Nullable Set<String> roles,
            @Nullable Map<String, String> notes)
            implements Wanting {

        static TaggedEntry written(UUID id, String label) {
            String write = UUID.randomUUID().toString();
            return new TaggedEntry(id, label, Set.of("reads " + write, "writes " + write), Map.of(write, "written"));
        }

        @Override
        public String content() {
            return label + " " + (roles == null ? "[]" : new TreeSet<>(roles)) + " "
                    + (notes == null ? "{}" : new TreeMap<>(notes));
        }
    }

    @UniqueBy("label")
    interface Noted extends CassandraRepository<NotedEntry, UUID>, OverwriteRepository<NotedEntry> {}

    @UniqueBy("label")
    interface Tagged extends CassandraRepository<TaggedEntry, UUID>, OverwriteRepository<TaggedEntry> {}

    private final String table;
    private final CassandraRepository<E, UUID> entries;
    private final OverwriteRepository<E> overwrites;
    private final BiFunction<UUID, String, E> written;
    private final int firstValue;
    private final History history;
    private volatile List<E> seen = List.of();

    private <R extends CassandraRepository<E, UUID> & OverwriteRepository<E>> UniqueRows(
            String table, R entries, BiFunction<UUID, String, E> written, int firstValue, History history) {
        this.table = table;
        this.entries = entries;
        this.overwrites = entries;
        this.written = written;
        this.firstValue = firstValue;
        this.history = history;
    }

    /** {@return both tables of an application} */
    static List<UniqueRows<?>> of(ApplicationContext application, History history) {
        return List.of(
                new UniqueRows<>("noted_entry", application.getBean(Noted.class), NotedEntry::written, 0, history),
                new UniqueRows<>(
                        "tagged_entry", application.getBean(Tagged.class), TaggedEntry::written, VALUES, history));
    }

    /** {@return one of the values that rows of this table want} */
    String value(int number) {
        return "value" + (firstValue + number);
    }

    Outcome insert(String value) {
        E row = written.apply(UUID.randomUUID(), value);
        return call(row.id(), row.content(), () -> entries.insert(row));
    }

    /** {@return the id of a row with a value that nobody else wants} */
    UUID insertNew() {
        UUID id = UUID.randomUUID();
        E row = written.apply(id, "value" + id);
        call(id, row.content(), () -> entries.insert(row));
        return id;
    }

    Outcome save(UUID id, String value) {
        E row = written.apply(id, value);
        return call(id, row.content(), () -> entries.save(row));
    }

    Outcome overwrite(UUID id, String value) {
        E row = written.apply(id, value);
        return call(id, row.content(), () -> overwrites.overwrite(row));
    }

    Outcome delete(UUID id) {
        return call(id, null, () -> entries.deleteById(id));
    }

    private Outcome call(UUID id, @Nullable String content, Runnable call) {
        long number = history.number();
        long from = System.nanoTime();
        history.add(Event.BEGUN, subject(id), content, number, from);
        Outcome outcome = outcome(call);
        String end = switch (outcome) {
            case DONE -> Event.ACKNOWLEDGED;
            case FAILED -> Event.REFUSED;
            case UNKNOWN -> Event.FAILED;
        };
        history.add(end, subject(id), number, from);
        return outcome;
    }

    private static Outcome outcome(Runnable call) {
        try {
            call.run();
            return Outcome.DONE;
        } catch (UnknownOutcomeException unknown) {
            return Outcome.UNKNOWN;
        } catch (DataAccessException failed) {
            return Outcome.FAILED;
        }
    }

    private String subject(UUID id) {
        return table + " " + id;
    }

    /** {@return the row, or null} */
    @Nullable
    E read(UUID id) {
        long from = System.nanoTime();
        E row = entries.findById(id).orElse(null);
        history.add(Event.READ, subject(id), row == null ? null : row.content(), 0, from);
        return row;
    }

    /** {@return all rows, in an order that all processes share} */
    List<E> look() {
        long number = history.number();
        long from = System.nanoTime();
        List<E> rows = entries.findAll();
        rows.forEach(row -> history.add(Event.READ, subject(row.id()), row.content(), number, from));
        history.add(Event.LOOKED, table, number, from);
        seen = rows.stream().sorted(Comparator.comparing(Wanting::id)).toList();
        return seen;
    }

    /** {@return what the last look has shown} */
    List<E> seen() {
        return seen;
    }
}
