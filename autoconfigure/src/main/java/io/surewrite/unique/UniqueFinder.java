package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.session.DriverFailures;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/**
 * Finds rows by the values that {@link UniqueBy} keeps unique, by the name of the constraint: no index, two reads at
 * quorum. Thread safe.
 */
public final class UniqueFinder {

    private final UniqueCatalog catalog;
    private final Supplier<UniqueGuard> guard;
    private final Map<String, CqlRows> tables = new ConcurrentHashMap<>();

    /**
     * Creates a finder.
     *
     * @param catalog has the constraints
     * @param guard asked for when somebody looks for a value
     */
    public UniqueFinder(UniqueCatalog catalog, Supplier<UniqueGuard> guard) {
        this.catalog = catalog;
        this.guard = guard;
    }

    /**
     * Finds the row that has a value, whatever the constraint's normalisers make of it. A row that was written past the
     * guard, or before the constraint was there, has no claim and is not found.
     *
     * @param constraint the constraint's name
     * @param value a value for each part, of the Java types that the driver gives and takes by default
     * @return the primary key of the row, by the names of its columns, in the order of the table; empty if no row has the
     *     value
     * @throws IllegalArgumentException if no repository that was made so far has this constraint, or it has another
     *     number of parts
     * @throws UnclaimableValueException if no row can have the value
     * @throws DataAccessException if the cluster gives no answer
     */
    public Optional<Map<String, Object>> findKey(String constraint, @Nullable Object... value) {
        UniqueCatalog.Entry entry = catalog.entry(constraint)
                .orElseThrow(() -> new IllegalArgumentException("There is no unique constraint '%s', but: %s"
                        .formatted(
                                constraint,
                                String.join(
                                        ", ",
                                        catalog.entries().stream()
                                                .map(known -> known.constraint().name())
                                                .toList()))));
        CqlRows rows = tables.computeIfAbsent(constraint, added -> entry.rows().get());
        return owner(rows, entry.constraint(), value).map(owner -> named(rows.key(owner)));
    }

    /** The guard reports failures of the database as the driver throws them. */
    private Optional<String> owner(CqlRows rows, UniqueConstraint constraint, @Nullable Object... value) {
        try {
            return guard.get().findOwner(rows, constraint, value);
        } catch (RuntimeException failure) {
            throw DriverFailures.translated(failure);
        }
    }

    private static Map<String, Object> named(Map<CqlIdentifier, Object> key) {
        Map<String, Object> named = new LinkedHashMap<>();
        key.forEach((column, part) -> named.put(column.asInternal(), part));
        return named;
    }
}
