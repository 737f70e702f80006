package io.surewrite.unique.claims;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Statements that are prepared when they are first needed; after a failure, when they are needed again. */
public final class Prepared {

    private final CqlSession session;
    private final UnaryOperator<String> cql;
    private final Map<String, CompletableFuture<PreparedStatement>> statements = new ConcurrentHashMap<>();

    /**
     * Statements as they are.
     *
     * @param session the session
     */
    public Prepared(CqlSession session) {
        this(session, UnaryOperator.identity());
    }

    /**
     * Statements on a table of ours, whose name is put into them once.
     *
     * @param session the session
     * @param table the name as CQL, for the first placeholder of {@link String#formatted}
     */
    public Prepared(CqlSession session, String table) {
        this(session, text -> text.formatted(table));
    }

    private Prepared(CqlSession session, UnaryOperator<String> cql) {
        this.session = session;
        this.cql = cql;
    }

    /**
     * {@return a prepared statement}
     *
     * @param statement as text
     */
    public CompletionStage<PreparedStatement> get(String statement) {
        CompletableFuture<PreparedStatement> known = statements.get(statement);
        if (known != null && !known.isCompletedExceptionally()) {
            return known;
        }
        return statements.compute(
                statement,
                (text, other) -> other != null && !other.isCompletedExceptionally()
                        ? other
                        : session.prepareAsync(cql.apply(text)).toCompletableFuture());
    }
}
