package io.surewrite.unique;

import java.util.List;

/**
 * A constraint that a write would have violated.
 *
 * @param constraint its name
 * @param properties the properties that it is made of
 * @param value the value that is taken, encoded; not for messages and logs unless asked for
 */
public record Violation(String constraint, List<String> properties, String value) {

    /** Copies the list. */
    public Violation {
        properties = List.copyOf(properties);
    }

    /** Leaves out the value. */
    @Override
    public String toString() {
        return "%s (%s)".formatted(constraint, String.join(", ", properties));
    }
}
