package io.surewrite.unique.claims;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Statements that are prepared when they are first needed; after a failure, when they are needed again. */
public final class Prepared {

    private final CqlSession session;
    private final String table;
    private final Map<String, CompletableFuture<PreparedStatement>> statements = new ConcurrentHashMap<>();

    /**
     * Statements on a table of ours, whose name is put into them once.
     *
     * @param session the session
     * @param table the name as CQL, for the first placeholder of {@link String#formatted}
     */
    public Prepared(CqlSession session, String table) {
        this.session = session;
        this.table = table;
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
                        : session.prepareAsync(text.formatted(table)).toCompletableFuture());
    }
}
