package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.surewrite.internal.compat.WholeFrameCodec;
import io.surewrite.write.ConditionalWrites;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Statements on a table of ours, whose name is the first placeholder of each text; prepared when first needed. Queries name their
 * columns, whose types never change, so their answers come without them.
 */
public final class Prepared {

    private final CqlSession session;
    private final String table;
    private final Map<String, CompletableFuture<PreparedStatement>> statements = new ConcurrentHashMap<>();

    public Prepared(CqlSession session, String table) {
        this.session = session;
        this.table = table;
    }

    public CompletionStage<PreparedStatement> get(String statement) {
        CompletableFuture<PreparedStatement> known = statements.get(statement);
        if (known != null && !known.isCompletedExceptionally()) {
            return known;
        }
        return statements.compute(
                statement,
                (text, other) -> other != null && !other.isCompletedExceptionally()
                        ? other
                        : session.prepareAsync(text.formatted(table))
                                .thenApply(made -> WholeFrameCodec.withoutColumns(session, made))
                                .toCompletableFuture());
    }

    /** A statement without a condition, at the level of the profile for conditional writes. */
    public CompletionStage<BoundStatement> bound(String statement, UnaryOperator<BoundStatementBuilder> values) {
        return get(statement)
                .thenApply(prepared -> values.apply(prepared.boundStatementBuilder())
                        .setExecutionProfileName(ConditionalWrites.PROFILE)
                        .setIdempotence(true)
                        .build());
    }

    public CompletionStage<AsyncResultSet> send(String statement, UnaryOperator<BoundStatementBuilder> values) {
        return bound(statement, values).thenCompose(session::executeAsync);
    }
}
