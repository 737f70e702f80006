package io.surewrite.unique;

import io.surewrite.unique.SimTable.TimedValue;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A row as a read shows it. */
record SimSnapshot(SimShape shape, String owner, boolean exists, List<TimedValue> cells) implements RowSnapshot {

    @Override
    public long newestWrite() {
        return cells.stream().mapToLong(TimedValue::timestamp).max().orElse(NEVER);
    }

    @Override
    public Optional<UniqueValue> value(UniqueConstraint constraint) {
        return exists
                ? Optional.of(shape.value(
                                constraint,
                                owner,
                                cells.stream().map(TimedValue::value).toList()))
                        .filter(constraint::claims)
                : Optional.empty();
    }

    @Override
    public long writtenAt(UniqueConstraint constraint, int component) {
        int column = shape.column(constraint, component);
        return column < 0 ? NEVER : cells.get(column).timestamp();
    }

    @Nullable
    String cell(int column) {
        return cells.get(column).value();
    }

    @Override
    public String toString() {
        return exists ? "%s = %s".formatted(owner, cells) : owner + " absent";
    }
}
