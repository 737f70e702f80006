package io.surewrite.unique;

import io.surewrite.unique.ConstrainedRows.EntityWrite;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A row on its way into a table, whose unique values are whole columns.
 *
 * @param columns its values, at least of the primary key and of the constraints
 * @param writing writes it at a timestamp
 */
record WrittenRow(
        CqlRows rows, Map<String, ? extends @Nullable Object> columns, LongFunction<CompletionStage<Void>> writing)
        implements EntityWrite {

    @Override
    public String owner() {
        return rows.owner(Map.of(
                rows.table().primaryKey().get(0).name(),
                columns.get(rows.table().primaryKey().get(0).name().asInternal())));
    }

    @Override
    public UniqueValue value(UniqueConstraint constraint) {
        return constraint.value(constraint.components().stream()
                .map(component -> columns.get(component.column().asInternal()))
                .toList());
    }

    @Override
    public CompletionStage<Void> write(long timestamp) {
        return writing.apply(timestamp);
    }
}
