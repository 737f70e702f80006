package io.surewrite.overwrite;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes CQL and remembers what its markers bind. */
final class ShapeBuilder {

    private final StringBuilder cql = new StringBuilder();
    private final List<Shape.Slot> slots = new ArrayList<>();

    ShapeBuilder text(String text) {
        cql.append(text);
        return this;
    }

    /** A marker that is left unset without a value. */
    ShapeBuilder bind(Function<RowWrite, @Nullable ByteBuffer> value) {
        return bind(value, false);
    }

    ShapeBuilder bind(Function<RowWrite, @Nullable ByteBuffer> value, boolean nullable) {
        cql.append('?');
        slots.add(new Shape.Slot(value, nullable));
        return this;
    }

    /** {@code k1 = ? AND k2 = ?}. */
    ShapeBuilder keys(List<TargetColumn> key) {
        String separator = "";
        for (TargetColumn column : key) {
            text(separator)
                    .text(column.cql())
                    .text(" = ")
                    .bind(write -> write.values().get(column));
            separator = " AND ";
        }
        return this;
    }

    Shape build() {
        return new Shape(cql.toString(), slots);
    }
}
