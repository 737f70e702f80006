package io.surewrite.unique;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** For constraints that have no entities. */
public final class NoMapping implements UniqueCatalog.Mapping {

    @Override
    public List<@Nullable Object> columns(List<? extends @Nullable Object> values) {
        return new ArrayList<>(values);
    }

    @Override
    public <T> Function<Row, T> entities(Class<T> type) {
        throw new IllegalArgumentException("No entity is mapped");
    }
}
