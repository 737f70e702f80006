package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.util.Locale;

/**
 * One piece of CQL text.
 *
 * @param text what it says: quotes and doubled quotes removed for strings and quoted names, otherwise as written
 * @param start its offset in the text
 * @param end the offset after it
 */
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

    /** Whether this is the keyword or the symbol. */
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
