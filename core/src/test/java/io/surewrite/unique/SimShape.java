package io.surewrite.unique;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table's constraints over its columns {@code c0}, {@code c1}, …; {@code key} is the primary key.
 *
 * @param columns how many columns there are besides the key; the last one is free
 * @param collects whether the last one is a set, whose elements are cells of their own
 */
record SimShape(int columns, List<UniqueConstraint> constraints, boolean collects) {

    static final List<SimShape> ALL = List.of(
            new SimShape(2, List.of(UniqueConstraint.on("one", "c0"))),
            new SimShape(3, List.of(UniqueConstraint.on("one", "c0"), UniqueConstraint.on("two", "c1"))),
            new SimShape(3, List.of(UniqueConstraint.on("both", "c0", "c1"))),
            new SimShape(2, List.of(UniqueConstraint.on("natural", "key"))),
            new SimShape(2, List.of(UniqueConstraint.on("natural", "key"), UniqueConstraint.on("one", "c0"))),
            new SimShape(3, List.of(UniqueConstraint.on("one", "c0"), UniqueConstraint.on("both", "c0", "c1"))),
            new SimShape(3, List.of(UniqueConstraint.on("natural", "key"), UniqueConstraint.on("both", "c0", "c1"))));

    /** The same with a set each. */
    static final List<SimShape> COLLECTING = ALL.stream()
            .map(shape -> new SimShape(shape.columns, shape.constraints, true))
            .toList();

    SimShape(int columns, List<UniqueConstraint> constraints) {
        this(columns, constraints, false);
    }

    /** Whether a column is a set. */
    boolean collects(int column) {
        return collects && column == columns - 1;
    }

    /** The index of a component's column; -1 for the key. */
    int column(UniqueConstraint constraint, int component) {
        String name = constraint.components().get(component).property();
        return name.equals("key") ? -1 : name.charAt(1) - '0';
    }

    UniqueValue value(UniqueConstraint constraint, @Nullable String key, List<@Nullable String> cells) {
        List<@Nullable String> parts = new ArrayList<>();
        for (int i = 0; i < constraint.components().size(); i++) {
            int column = column(constraint, i);
            parts.add(column < 0 ? key : cells.get(column));
        }
        return new UniqueValue(parts);
    }

    boolean isConstrained(int column) {
        return constraints.stream()
                .anyMatch(constraint -> constraint.properties().contains("c" + column));
    }

    /** Where a constraint has two columns. */
    boolean mayMix() {
        return constraints.stream().anyMatch(constraint -> constraint.name().equals("both"));
    }

    boolean isNatural() {
        return constraints.stream().anyMatch(constraint -> constraint.name().equals("natural"));
    }
}
