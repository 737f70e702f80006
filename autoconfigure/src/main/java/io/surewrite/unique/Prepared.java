package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Statements that are prepared when they are first needed; after a failure, when they are needed again. */
final class Prepared {

    private final CqlSession session;
    private final UnaryOperator<String> cql;
    private final Map<String, CompletableFuture<PreparedStatement>> statements = new ConcurrentHashMap<>();

    /** Statements as they are. */
    Prepared(CqlSession session) {
        this(session, UnaryOperator.identity());
    }

    /**
     * Statements on a table of ours, whose name is put into them once.
     *
     * @param table the name as CQL, for the first placeholder of {@link String#formatted}
     */
    Prepared(CqlSession session, String table) {
        this(session, text -> text.formatted(table));
    }

    private Prepared(CqlSession session, UnaryOperator<String> cql) {
        this.session = session;
        this.cql = cql;
    }

    CompletionStage<PreparedStatement> get(String statement) {
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
