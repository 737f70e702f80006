package io.surewrite.unique.rows;

import io.surewrite.rows.TimedRow;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.EntityWrite;
import java.util.IdentityHashMap;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

/** One row on its way into a table. */
final class EntityRow implements EntityWrite {

    private final CqlRows rows;
    private final TimedRow row;
    private final LongFunction<CompletionStage<Void>> writing;
    private final String owner;
    private final IdentityHashMap<UniqueConstraint, UniqueValue> values = new IdentityHashMap<>();

    /**
     * @param writing writes the row at a timestamp
     */
    EntityRow(CqlRows rows, TimedRow row, LongFunction<CompletionStage<Void>> writing) {
        this.rows = rows;
        this.row = row;
        this.writing = writing;
        this.owner = rows.owner(row::get);
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public UniqueValue value(UniqueConstraint constraint) {
        return values.computeIfAbsent(constraint, missing -> rows.value(missing, row::get));
    }

    @Override
    public CompletionStage<Void> write(long timestamp) {
        return writing.apply(timestamp);
    }
}
