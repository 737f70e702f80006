package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.unique.UniqueBy.NullRule;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
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

    /** Throws an {@link IllegalArgumentException} if the name is blank or longer than 200 characters, or there is no component. */
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

    /** {@return a constraint on columns that are compared exactly; values with a null are not claimed} */
    public static UniqueConstraint on(String name, String... columns) {
        return new UniqueConstraint(
                name, List.of(columns).stream().map(UniqueComponent::column).toList(), NullRule.NO_CLAIM);
    }

    /** {@return the properties that it is made of, for messages} */
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
        int index = 0;
        for (Object value : values) {
            UniqueComponent component = components.get(index++);
            String text = value == null ? null : requireUnicode(canonical(value, component), component);
            parts.add(
                    text == null ? null : requireUnicode(component.normaliser().normalise(text), component));
        }
        UniqueValue made = new UniqueValue(parts);
        made.checkLength(this);
        return made;
    }

    /** UTF-8 has no form for half of a surrogate pair: it would be stored as a question mark, equal to others. */
    private String requireUnicode(String text, UniqueComponent component) {
        int point;
        for (int i = 0; i < text.length(); i += Character.charCount(point)) {
            point = text.codePointAt(i);
            if (Character.isBmpCodePoint(point) && Character.isSurrogate((char) point)) {
                throw new UnclaimableValueException(
                        this,
                        "is not valid Unicode in '%s': half of a surrogate pair at index %d"
                                .formatted(component.property(), i));
            }
        }
        return text;
    }

    /**
     * The canonical text of a component: two values that Cassandra stores as equal have the same text, before and after
     * they were written and read.
     */
    private String canonical(Object value, UniqueComponent component) {
        if (value instanceof CharSequence
                || value instanceof UUID
                || value instanceof Boolean
                || value instanceof Byte
                || value instanceof Short
                || value instanceof Integer
                || value instanceof Long
                || value instanceof BigInteger
                || value instanceof LocalDate
                || value instanceof LocalTime) {
            return value.toString();
        }
        if (value instanceof BigDecimal decimal) {
            return decimal.signum() == 0 ? "0" : decimal.stripTrailingZeros().toString();
        }
        if (value instanceof Instant instant) {
            return Long.toString(instant.toEpochMilli()); // all that the table keeps of it
        }
        if (value instanceof Double number) {
            return Double.toString(number + 0.0); // -0.0 is 0.0
        }
        if (value instanceof Float number) {
            return Float.toString(number + 0.0f);
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof InetAddress address) {
            return address.getHostAddress();
        }
        if (value instanceof ByteBuffer bytes) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            return HexFormat.of().formatHex(copy);
        }
        throw new UnclaimableValueException(
                this,
                "has no comparable form: '%s' is a %s"
                        .formatted(component.property(), value.getClass().getName()));
    }

    /** {@return whether a value is claimed: not where a null, or a blank text, in it means that nothing is} */
    public boolean claims(UniqueValue value) {
        return switch (nulls) {
            case EQUAL -> true;
            case NO_CLAIM -> !value.parts().contains(null);
            case NO_CLAIM_IF_BLANK -> value.parts().stream().noneMatch(part -> part == null || part.isBlank());
        };
    }

    /**
     * A part of a unique value: a column.
     *
     * @param property its name for people, used in messages
     * @param column the column
     * @param normaliser what counts as equal
     */
    public record UniqueComponent(String property, CqlIdentifier column, UniqueNormaliser normaliser) {

        /** {@return a column compared exactly, whose name is the property's too} */
        public static UniqueComponent column(String column) {
            return new UniqueComponent(column, CqlIdentifier.fromInternal(column), UniqueNormaliser.EXACT);
        }

        /** {@return the same component with another idea of what is equal} */
        public UniqueComponent normalised(UniqueNormaliser other) {
            return new UniqueComponent(property, column, other);
        }
    }
}
