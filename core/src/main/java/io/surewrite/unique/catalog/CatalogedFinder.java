package io.surewrite.unique.catalog;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.unique.claims.ClaimingGuard;
import io.surewrite.unique.rows.CqlRows;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds rows by the constraints of a catalog. Thread safe. */
public final class CatalogedFinder implements UniqueFinder {

    private final UniqueCatalog catalog;
    private final Supplier<ClaimingGuard> guard;
    private final Map<String, CqlRows> tables = new ConcurrentHashMap<>();

    /**
     * Creates a finder.
     *
     * @param catalog has the constraints
     * @param guard asked for when a value is looked for
     */
    public CatalogedFinder(UniqueCatalog catalog, Supplier<ClaimingGuard> guard) {
        this.catalog = catalog;
        this.guard = guard;
    }

    @Override
    public Optional<Map<String, Object>> findKey(String constraint, @Nullable Object... value) {
        UniqueCatalog.Entry entry = catalog.require(constraint);
        CqlRows rows = tables.computeIfAbsent(constraint, added -> entry.rows().get());
        try {
            return guard.get().findOwner(rows, entry.constraint(), value).map(owner -> named(rows.key(owner)));
        } catch (RuntimeException failure) {
            // The guard reports failures of the database as the driver throws them.
            throw DriverFailures.translated(failure);
        }
    }

    private static Map<String, Object> named(Map<CqlIdentifier, Object> key) {
        Map<String, Object> named = new LinkedHashMap<>();
        key.forEach((column, part) -> named.put(column.asInternal(), part));
        return named;
    }
}
