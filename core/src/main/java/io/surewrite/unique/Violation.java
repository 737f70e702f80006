package io.surewrite.unique;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A constraint that a write would have violated.
 *
 * @param constraint its name
 * @param properties the properties that it is made of
 * @param values what is taken: a text for each property, after the normalisers, or null; not for messages and logs unless
 *     asked for
 */
public record Violation(String constraint, List<String> properties, List<@Nullable String> values) {

    /** Copies the lists. */
    public Violation {
        properties = List.copyOf(properties);
        values = Collections.unmodifiableList(new ArrayList<>(values));
    }

    /** {@return the constraint and its properties with what is taken, for messages that may show it} */
    public String withValues() {
        return "%s = %s".formatted(this, values.stream().map(Objects::toString).collect(Collectors.joining(", ")));
    }

    /** Leaves out the values. */
    @Override
    public String toString() {
        return "%s (%s)".formatted(constraint, String.join(", ", properties));
    }
}
