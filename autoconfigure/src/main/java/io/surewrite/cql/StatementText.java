package io.surewrite.cql;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.session.Request;
import org.jspecify.annotations.Nullable;

/** What little of a statement's CQL has to be known on every call; it allocates nothing. */
final class StatementText {

    private StatementText() {}

    /** Whether the request can only be a read. */
    static boolean isRead(Request request) {
        String cql = textOf(request);
        if (cql == null) {
            return false;
        }
        int start = 0;
        while (start < cql.length() && Character.isWhitespace(cql.charAt(start))) {
            start++;
        }
        return cql.regionMatches(true, start, "select", 0, 6);
    }

    /**
     * Whether the statement may be a conditional one. A column or a literal named {@code if} is taken for a condition
     * too, which only costs the driver's retries.
     */
    static boolean mayBeConditional(Request request) {
        if (request instanceof BatchStatement batch) {
            for (Request child : batch) {
                if (mayBeConditional(child)) {
                    return true;
                }
            }
            return false;
        }
        String cql = textOf(request);
        return cql == null || hasWordIf(cql);
    }

    private static boolean hasWordIf(String cql) {
        for (int i = cql.length() - 2; i > 0; i--) {
            // A bit apart: capitals and small letters.
            if ((cql.charAt(i) | 0x20) == 'i'
                    && (cql.charAt(i + 1) | 0x20) == 'f'
                    && !Character.isJavaIdentifierPart(cql.charAt(i - 1))
                    && (i + 2 == cql.length() || !Character.isJavaIdentifierPart(cql.charAt(i + 2)))) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String textOf(Request request) {
        if (request instanceof BoundStatement bound) {
            return bound.getPreparedStatement().getQuery();
        }
        return request instanceof SimpleStatement simple ? simple.getQuery() : null;
    }
}
