package io.surewrite.unique;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One or more columns of a table whose value, taken together, at most one row may have.
 *
 * @param name its name in the table of claims: unique in the whole application, and for ever bound to these components
 *     and their normalisers
 * @param components what the value is made of, in this order
 * @param nulls what a null component means
 */
public record UniqueConstraint(String name, List<UniqueComponent> components, NullRule nulls) {

    private static final int MAX_NAME = 200;

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException if the name is blank or longer than 200 characters, or there is no component
     */
    public UniqueConstraint {
        if (name.isBlank() || name.length() > MAX_NAME) {
            throw new IllegalArgumentException(
                    "The name of a unique constraint must have 1 to %d characters, but is '%s'"
                            .formatted(MAX_NAME, name));
        }
        if (components.isEmpty()) {
            throw new IllegalArgumentException("The unique constraint '%s' has no components".formatted(name));
        }
        components = List.copyOf(components);
    }

    /**
     * A constraint on columns that are compared exactly; values with a null are not claimed.
     *
     * @param name its name
     * @param columns the names of its columns
     * @return the constraint
     */
    public static UniqueConstraint on(String name, String... columns) {
        return new UniqueConstraint(
                name, List.of(columns).stream().map(UniqueComponent::column).toList(), NullRule.NO_CLAIM);
    }

    /**
     * {@return the properties that it is made of, for messages}
     */
    public List<String> properties() {
        return components.stream().map(UniqueComponent::property).toList();
    }

    /**
     * Makes the comparable form of a value.
     *
     * @param values a value for each component, of the Java types that the driver gives and takes by default
     * @return the value
     * @throws UnclaimableValueException if a component has no comparable form, is not valid Unicode, or the whole is too
     *     long
     */
    public UniqueValue value(Collection<? extends @Nullable Object> values) {
        if (values.size() != components.size()) {
            throw new IllegalArgumentException("The unique constraint '%s' has %d components, not %d"
                    .formatted(name, components.size(), values.size()));
        }
        List<@Nullable String> parts = new ArrayList<>();
        List<@Nullable String> texts = new ArrayList<>();
        int index = 0;
        for (Object value : values) {
            UniqueComponent component = components.get(index++);
            String text = value == null ? null : ComparableText.of(value, component, this);
            texts.add(text);
            parts.add(
                    text == null
                            ? null
                            : ComparableText.checked(component.normaliser().normalise(text), component, this));
        }
        UniqueValue made = new UniqueValue(parts, texts);
        made.checkLength(this);
        return made;
    }

    /** Whether a value with these parts is claimed. */
    boolean claims(UniqueValue value) {
        return nulls == NullRule.EQUAL || !value.hasNull();
    }
}
