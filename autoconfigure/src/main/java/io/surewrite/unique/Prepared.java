package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Statements that are prepared when they are first needed; after a failure, when they are needed again. */
final class Prepared {

    private final CqlSession session;
    private final Map<String, CompletableFuture<PreparedStatement>> statements = new ConcurrentHashMap<>();

    Prepared(CqlSession session) {
        this.session = session;
    }

    CompletionStage<PreparedStatement> get(String cql) {
        CompletableFuture<PreparedStatement> known = statements.get(cql);
        if (known != null && !known.isCompletedExceptionally()) {
            return known;
        }
        return statements.compute(
                cql,
                (text, other) -> other != null && !other.isCompletedExceptionally()
                        ? other
                        : session.prepareAsync(text).toCompletableFuture());
    }
}
