package io.surewrite.journal;

import io.surewrite.journal.AttributeValue.Bool;
import io.surewrite.journal.AttributeValue.Json;
import io.surewrite.journal.AttributeValue.None;
import io.surewrite.journal.AttributeValue.Numeric;
import io.surewrite.journal.AttributeValue.Text;
import io.surewrite.journal.AttributeValue.Timestamp;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;

/** Values in one column of text, the type in front: one cell, so that a tie is won whole. */
final class ValueFormat {

    /** What releases wrote that let a typed null pass. */
    private static final Set<String> NO_VALUE = Set.of("n:null", "i:null");

    private ValueFormat() {}

    static String format(AttributeValue value) {
        if (value instanceof Text text) {
            return "t:" + text.value();
        } else if (value instanceof Numeric number) {
            return "n:" + number.value();
        } else if (value instanceof Bool bool) {
            return "b:" + bool.value();
        } else if (value instanceof Timestamp timestamp) {
            return "i:" + timestamp.value();
        }
        return value instanceof Json json ? "j:" + json.value() : "-:";
    }

    static AttributeValue parse(String stored) {
        String value = stored.substring(2);
        if (NO_VALUE.contains(stored)) {
            return new None();
        }
        return switch (stored.charAt(0)) {
            case 't' -> new Text(value);
            case 'n' -> new Numeric(new BigDecimal(value));
            case 'b' -> new Bool(Boolean.parseBoolean(value));
            case 'i' -> new Timestamp(Instant.parse(value));
            case 'j' -> new Json(value);
            default -> new None();
        };
    }
}
