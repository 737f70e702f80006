package io.surewrite.journal;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A value with its type. */
public sealed interface AttributeValue {

    /** Text. */
    record Text(String value) implements AttributeValue {}

    /** A number, exact; scale counts: 1.0 and 1.00 are different values. */
    record Numeric(BigDecimal value) implements AttributeValue {}

    /** Yes or no. */
    record Bool(Boolean value) implements AttributeValue {}

    /** An instant. */
    record Timestamp(Instant value) implements AttributeValue {}

    /** JSON, kept as it was written. */
    record Json(String value) implements AttributeValue {}

    /** The attribute has no value any more. */
    record None() implements AttributeValue {}

    /** {@return the value as text, {@link BigDecimal}, boolean, instant, or null} */
    default @Nullable Object value() {
        return null;
    }

    /**
     * {@return an {@link AttributeValue}, text, number, boolean, instant, or null with its type}
     *
     * @throws JournalException if it is something else
     */
    static AttributeValue of(@Nullable Object value) {
        if (value == null) {
            return new None();
        } else if (value instanceof AttributeValue typed) {
            if (typed.value() == null && !(typed instanceof None)) {
                throw new JournalException("An attribute without a value is AttributeValue.None, not a typed null.");
            }
            return typed;
        } else if (value instanceof CharSequence || value instanceof Enum<?>) {
            return new Text(value.toString());
        } else if (value instanceof Boolean bool) {
            return new Bool(bool);
        } else if (value instanceof Instant instant) {
            return new Timestamp(instant);
        } else if (value instanceof Number number) {
            return new Numeric(decimal(number));
        }
        throw new JournalException("A value of " + value.getClass().getName()
                + " has no type in the journal: give text, a number, a boolean, an instant or AttributeValue.Json.");
    }

    private static BigDecimal decimal(Number number) {
        try {
            return new BigDecimal(number.toString());
        } catch (NumberFormatException e) {
            throw new JournalException("The number " + number + " has no exact value.");
        }
    }
}
