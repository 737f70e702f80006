package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.util.Locale;

/** A piece of CQL text; what it says is without quotes for strings and quoted names, otherwise as written. */
record CqlToken(Kind kind, String text, int start, int end) {

    enum Kind {
        WORD,
        QUOTED_NAME,
        STRING,
        /** A whole or decimal number without sign. */
        NUMBER,
        /** A uuid, blob or duration. */
        LITERAL,
        /** A bind marker, or a placeholder of Spring Data that becomes one and stands for a parameter. */
        MARKER,
        /** A placeholder of Spring Data that is computed at every call. */
        EXPRESSION,
        SYMBOL,
        END
    }

    boolean is(String expected) {
        return switch (kind) {
            case WORD -> text.equalsIgnoreCase(expected);
            case SYMBOL -> text.equals(expected);
            default -> false;
        };
    }

    boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED_NAME;
    }

    /** The name as the schema knows it: lower case unless quoted. */
    CqlIdentifier asIdentifier() {
        return CqlIdentifier.fromInternal(kind == Kind.WORD ? text.toLowerCase(Locale.ROOT) : text);
    }
}
