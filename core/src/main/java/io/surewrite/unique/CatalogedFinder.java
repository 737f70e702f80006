package io.surewrite.unique;

import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.internal.session.DriverFailures;
import java.util.Arrays;
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
        Wanted wanted = wanted(constraint, value);
        return DriverFailures.translated(guard.get()
                .findOwnerAsync(wanted.rows(), wanted.constraint(), wanted.value())
                .thenApply(owner -> owner.map(wanted.rows()::namedKey)));
    }

    @Override
    public <T> Optional<T> find(String constraint, Class<T> type, @Nullable Object... value) {
        return DriverFailures.joined(findAsync(constraint, type, value));
    }

    @Override
    public <T> CompletionStage<Optional<T>> findAsync(String constraint, Class<T> type, @Nullable Object... value) {
        Wanted wanted = wanted(constraint, value);
        Function<Row, T> entities = wanted.mapping().entities(type);
        return DriverFailures.translated(guard.get()
                .<Row>findAsync(
                        wanted.rows(),
                        wanted.constraint(),
                        wanted.value(),
                        owner -> wanted.rows().readWhole(owner, wanted.constraint(), wanted.value()))
                .thenApply(row -> row.map(entities)));
    }

    private record Wanted(
            CqlRows rows, UniqueConstraint constraint, UniqueCatalog.Mapping mapping, UniqueValue value) {}

    private Wanted wanted(String name, @Nullable Object[] value) {
        UniqueCatalog.Entry entry = catalog.require(name);
        UniqueConstraint constraint = entry.constraint();
        CqlRows rows = entry.rows().get();
        return new Wanted(
                rows,
                constraint,
                entry.mapping(),
                constraint.value(rows.stored(constraint, entry.mapping().columns(Arrays.asList(value)))));
    }
}
