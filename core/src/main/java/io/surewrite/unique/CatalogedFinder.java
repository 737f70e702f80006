package io.surewrite.unique;

import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.internal.session.DriverFailures;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds rows by the constraints of a catalog. Thread safe. */
record CatalogedFinder(UniqueCatalog catalog, Supplier<ClaimingGuard> guard) implements UniqueFinder {

    @Override
    public Optional<Map<String, Object>> findKey(String constraint, @Nullable Object... value) {
        return DriverFailures.joined(findKeyAsync(constraint, value));
    }

    @Override
    public CompletionStage<Optional<Map<String, Object>>> findKeyAsync(String constraint, @Nullable Object... value) {
        UniqueCatalog.Entry entry = catalog.require(constraint);
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
        UniqueCatalog.Entry entry = catalog.require(constraint);
        CqlRows rows = entry.rows().get();
        UniqueValue wanted = wanted(entry, rows, value);
        Function<Row, T> entities = entry.mapping().entities(type);
        return DriverFailures.translated(guard.get()
                .<Row>findAsync(
                        rows, entry.constraint(), wanted, owner -> rows.readWhole(owner, entry.constraint(), wanted))
                .thenApply(row -> row.map(entities)));
    }

    private static UniqueValue wanted(UniqueCatalog.Entry entry, CqlRows rows, @Nullable Object[] value) {
        List<@Nullable Object> columns = entry.mapping().columns(Arrays.asList(value));
        return entry.constraint().value(rows.stored(entry.constraint(), columns));
    }
}
