package io.surewrite.cql.analysis;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.session.Request;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What little of a statement's CQL has to be known. What is asked on every call allocates nothing. */
public final class StatementText {

    private static final Pattern WRITE =
            Pattern.compile("\\s*(INSERT|UPDATE|DELETE|BEGIN)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern STAMPED =
            Pattern.compile("\\bUSING\\s+(TTL\\s+\\S+\\s+AND\\s+)?TIMESTAMP\\b", Pattern.CASE_INSENSITIVE);

    private StatementText() {}

    /** Whether the request can only be a read. */
    public static boolean isRead(Request request) {
        String cql = of(request);
        return cql != null && startsWith(cql, "select");
    }

    /**
     * Whether a statement begins with a word, in capitals or not.
     *
     * @param cql the statement
     * @param word the word
     */
    public static boolean startsWith(String cql, String word) {
        int start = 0;
        while (start < cql.length() && Character.isWhitespace(cql.charAt(start))) {
            start++;
        }
        return cql.regionMatches(true, start, word, 0, word.length());
    }

    /**
     * Whether the statement may be a conditional one. A column or a literal named {@code if} is taken for a condition
     * too, which only costs the driver's retries.
     */
    public static boolean mayBeConditional(Request request) {
        if (request instanceof BatchStatement batch) {
            return anyPart(batch, StatementText::mayBeConditional);
        }
        String cql = of(request);
        return cql == null || hasWord(cql, 'i', 'f');
    }

    /**
     * Whether the statement may write to several partitions, of which some may have got it when it fails. One that names
     * a column {@code in}, or a batch of one partition, is taken for such a statement too.
     */
    public static boolean mayWriteSeveralPartitions(Request request) {
        String cql = of(request);
        return request instanceof BatchStatement
                || (cql != null && (startsWith(cql, "begin") || hasWord(cql, 'i', 'n')));
    }

    /**
     * Whether the driver stamps the statement, or a part of it. One that says {@code USING TIMESTAMP} is stamped already;
     * a conditional one gets its timestamp from the server.
     */
    public static boolean drawsTimestamp(Statement<?> statement) {
        if (statement.getQueryTimestamp() != Statement.NO_DEFAULT_TIMESTAMP || mayBeConditional(statement)) {
            return false;
        }
        if (statement instanceof BatchStatement batch) {
            return anyPart(batch, StatementText::drawsTimestamp);
        }
        String cql = of(statement);
        return cql == null
                || (WRITE.matcher(cql).lookingAt() && !STAMPED.matcher(cql).find());
    }

    private static boolean hasWord(String cql, char first, char second) {
        for (int i = cql.length() - 2; i > 0; i--) {
            // A bit apart: capitals and small letters.
            if ((cql.charAt(i) | 0x20) == first
                    && (cql.charAt(i + 1) | 0x20) == second
                    && !Character.isJavaIdentifierPart(cql.charAt(i - 1))
                    && (i + 2 == cql.length() || !Character.isJavaIdentifierPart(cql.charAt(i + 2)))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a part of a batch is as asked.
     *
     * @param batch the batch
     * @param asked of one part after the other
     */
    public static boolean anyPart(BatchStatement batch, Predicate<? super Statement<?>> asked) {
        for (Statement<?> part : batch) {
            if (asked.test(part)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The text of a statement.
     *
     * @param request the statement
     * @return its CQL; null if it is neither bound nor simple
     */
    public static @Nullable String of(Request request) {
        if (request instanceof BoundStatement bound) {
            return bound.getPreparedStatement().getQuery();
        }
        return request instanceof SimpleStatement simple ? simple.getQuery() : null;
    }
}
