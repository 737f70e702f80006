package io.surewrite.unique;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The canonical text of a component: two values that Cassandra stores as equal have the same text, before and after they
 * were written and read.
 */
final class ComparableText {

    private ComparableText() {}

    static String of(Object value, UniqueComponent component, UniqueConstraint constraint) {
        return checked(canonical(value, component, constraint), component, constraint);
    }

    /** UTF-8 has no form for half of a surrogate pair: it would be stored as a question mark, equal to others. */
    static String checked(String text, UniqueComponent component, UniqueConstraint constraint) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isHighSurrogate(text.charAt(i))
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(text.charAt(i))) {
                throw new UnclaimableValueException(
                        constraint,
                        "is not valid Unicode in '%s': half of a surrogate pair at index %d"
                                .formatted(component.property(), i));
            }
        }
        return text;
    }

    private static String canonical(Object value, UniqueComponent component, UniqueConstraint constraint) {
        if (value instanceof CharSequence || value instanceof UUID || value instanceof Boolean) {
            return value.toString();
        }
        if (value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long) {
            return Long.toString(((Number) value).longValue());
        }
        if (value instanceof BigInteger || value instanceof LocalDate || value instanceof LocalTime) {
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
                constraint,
                "has no comparable form: '%s' is a %s"
                        .formatted(component.property(), value.getClass().getName()));
    }
}
