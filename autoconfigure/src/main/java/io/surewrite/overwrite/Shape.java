package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A statement and what its markers bind. Markers without a value stay unset, which leaves no tombstone. */
final class Shape {

    private final String cql;
    private final List<Slot> slots;
    private volatile @Nullable PreparedStatement prepared;
    private volatile boolean confirmed;

    Shape(String cql, List<Slot> slots) {
        this.cql = cql;
        this.slots = List.copyOf(slots);
    }

    String cql() {
        return cql;
    }

    boolean isPrepared() {
        return prepared != null;
    }

    void prepared(PreparedStatement statement) {
        prepared = statement;
    }

    /** Whether the table was what the text takes it for after it was prepared. */
    boolean isConfirmed() {
        return confirmed;
    }

    void confirm() {
        confirmed = true;
    }

    PreparedStatement prepared() {
        return Objects.requireNonNull(prepared, "not prepared");
    }

    BoundStatement bind(RowWrite write) {
        BoundStatementBuilder bound = prepared().boundStatementBuilder();
        for (int i = 0; i < slots.size(); i++) {
            Slot slot = slots.get(i);
            ByteBuffer value = slot.value().apply(write);
            if (value != null) {
                bound = bound.setBytesUnsafe(i, value);
            } else if (slot.nullable()) {
                bound = bound.setToNull(i);
            }
        }
        return bound.build();
    }

    /**
     * One marker.
     *
     * @param value the value to bind, or null
     * @param nullable whether a missing value is bound as null, not left unset
     */
    record Slot(Function<RowWrite, @Nullable ByteBuffer> value, boolean nullable) {}
}
