package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.unique.WholeTable.UniqueScanSettings;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.Internal;
import io.surewrite.write.InvalidConfigurationException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The unique constraints of the application, as its repositories were found to have them. Thread safe. */
@Internal
public final class UniqueCatalog {

    private final Map<String, Entry> entries = new TreeMap<>();

    public record Entry(
            UniqueConstraint constraint, String table, String definition, Supplier<CqlRows> rows, Mapping mapping) {}

    /** Between the values and entities of an application, and the columns and rows of a table. */
    public interface Mapping {

        List<@Nullable Object> columns(List<? extends @Nullable Object> values);

        <T> Function<Row, T> entities(Class<T> type);
    }

    /** Adds a constraint, which another repository may have added; its name must be no other's. */
    public synchronized void add(Entry added) {
        String name = added.constraint().name();
        Entry known = entries.get(name);
        if (known != null
                && !(known.table().equals(added.table()) && known.definition().equals(added.definition()))) {
            throw new InvalidConfigurationException(
                    name,
                    "Two unique constraints have the name '%s': on %s (%s), and on %s (%s)."
                            .formatted(name, known.table(), known.definition(), added.table(), added.definition()),
                    "Give one of them another name, by @UniqueBy(name = ...).",
                    "unique");
        }
        entries.put(name, added);
    }

    public synchronized Entry require(String name) {
        return entry(name)
                .orElseThrow(() -> new IllegalArgumentException("There is no unique constraint '%s'; there are %s."
                        .formatted(name, List.copyOf(entries.keySet()))));
    }

    public synchronized Optional<Entry> entry(String name) {
        return Optional.ofNullable(entries.get(name));
    }

    public UniqueFinder finder(Supplier<ClaimingGuard> guard) {
        return new CatalogedFinder(this, guard);
    }

    public UniqueConstraints constraints(
            CqlSession session,
            ConditionalWrites writes,
            String claims,
            String repairs,
            UniqueSettings settings,
            UniqueScanSettings scans) {
        return new CatalogedConstraints(session, writes, claims, repairs, settings, scans, this);
    }

    public synchronized List<Entry> entries() {
        return List.copyOf(entries.values());
    }

    /** Finds rows by the constraints of a catalog. Thread safe. */
    private record CatalogedFinder(UniqueCatalog catalog, Supplier<ClaimingGuard> guard) implements UniqueFinder {

        @Override
        public Optional<Map<String, Object>> findKey(String constraint, @Nullable Object... value) {
            return DriverFailures.joined(findKeyAsync(constraint, value));
        }

        @Override
        public CompletionStage<Optional<Map<String, Object>>> findKeyAsync(
                String constraint, @Nullable Object... value) {
            Entry entry = catalog.require(constraint);
            CqlRows rows = entry.rows().get();
            return DriverFailures.translated(guard.get()
                    .findOwnerAsync(rows, entry.constraint(), wanted(entry, rows, value))
                    .thenApply(owner -> owner.map(rows::namedKey)));
        }

        @Override
        public <T> Optional<T> find(String constraint, Class<T> type, @Nullable Object... value) {
            return DriverFailures.joined(findAsync(constraint, type, value));
        }

        @Override
        public <T> CompletionStage<Optional<T>> findAsync(String constraint, Class<T> type, @Nullable Object... value) {
            Entry entry = catalog.require(constraint);
            CqlRows rows = entry.rows().get();
            UniqueValue wanted = wanted(entry, rows, value);
            Function<Row, T> entities = entry.mapping().entities(type);
            return DriverFailures.translated(guard.get()
                    .<Row>findAsync(
                            rows,
                            entry.constraint(),
                            wanted,
                            owner -> rows.readWhole(owner, entry.constraint(), wanted))
                    .thenApply(row -> row.map(entities)));
        }

        private static UniqueValue wanted(Entry entry, CqlRows rows, @Nullable Object[] value) {
            List<@Nullable Object> columns = entry.mapping().columns(Arrays.asList(value));
            return entry.constraint().value(rows.stored(entry.constraint(), columns));
        }
    }
}
