package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PrepareRequest;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import com.datastax.oss.driver.internal.core.cql.DefaultPrepareRequest;
import com.datastax.oss.driver.internal.core.cql.ResultSets;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.write.AttemptNotes;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.RowWrittenTwiceException;
import io.surewrite.write.SentWrites;
import io.surewrite.write.TransactionalTableException;
import io.surewrite.write.WriteScope;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A session that applies the {@link WriteScope} of the calling thread to every statement: for code that sends through a
 * session itself, and for templates. Everything else is the decorated session's.
 */
public final class ScopedCqlSession extends SessionDecorator {

    /** By text, so that the same request is not made anew on every call. */
    private static final CqlText.Made<String, PrepareRequest> PREPARATIONS = new CqlText.Made<>(Preparation::new);

    private final @Nullable StatementGuards guards;

    private ScopedCqlSession(CqlSession session, @Nullable StatementGuards guards) {
        super(session);
        this.guards = guards;
    }

    /** The session itself if it is in the scope already, or is a mock without a context. */
    public static CqlSession of(CqlSession session) {
        return of(session, null);
    }

    static CqlSession of(CqlSession session, @Nullable StatementGuards guards) {
        return (session instanceof ScopedCqlSession && guards == null) || session.getContext() == null
                ? session
                : new ScopedCqlSession(unwrap(session), guards);
    }

    @Override
    boolean isScoped() {
        return true;
    }

    @Override
    @SuppressWarnings("unchecked") // Q and R are what the casts say
    public <Q extends Request, R extends @Nullable Object> R execute(Q request, GenericType<R> resultType) {
        if (request instanceof Statement<?> statement) {
            DriverContext context = getContext(); // a call through a proxy, often
            boolean async = isAsync(resultType, Statement.SYNC, Statement.ASYNC);
            try {
                InsertedRows.admit(WriteScope.current(), statement, context);
                CompletionStage<AsyncResultSet> guarded =
                        guards == null ? null : guards.send(statement, context, !async);
                if (guarded != null) {
                    return async ? (R) guarded : (R) ResultSets.newInstance(DriverFailures.joined(guarded));
                }
                WriteScope scope = WriteScope.currentFor(statement);
                Statement<?> scoped = SureLevel.scoped(statement, scope, SureLevel.isReading(), context);
                return scope == null
                        ? super.execute((Q) scoped, resultType)
                        : noted(scope.statements(), scoped, (Q) scoped, resultType);
            } catch (RowWrittenTwiceException | ClockOffsetException | TransactionalTableException refused) {
                if (async) {
                    return (R) CompletableFuture.failedFuture(refused);
                }
                throw refused;
            }
        }
        WriteScope scope = WriteScope.current();
        if (request instanceof PrepareRequest prepare && (scope != null || SureLevel.isReading())) {
            return isAsync(resultType, PrepareRequest.SYNC, PrepareRequest.ASYNC)
                    ? (R) prepared(scope, prepare)
                    : prepared(scope, prepare.getQuery(), request, resultType);
        }
        return super.execute(request, resultType);
    }

    @Override
    public PreparedStatement prepare(String cql) {
        return Objects.requireNonNull(execute(PREPARATIONS.get(cql, cql), PrepareRequest.SYNC));
    }

    /** The driver's own methods pass its constants: to compare types in full takes longer than all the rest here. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isAsync(GenericType<?> resultType, GenericType<?> sync, GenericType<?> async) {
        return resultType != sync && resultType.equals(async);
    }

    private <Q extends Request, R extends @Nullable Object> R noted(
            AttemptNotes notes, Statement<?> statement, Q request, GenericType<R> resultType) {
        try {
            R answer = super.execute(request, resultType);
            if (answer instanceof CompletionStage<?> later) {
                notes.awaited(statement, later);
            } else {
                notes.acknowledged(statement);
            }
            return answer;
        } catch (RuntimeException failure) {
            notes.failed(statement, failure);
            throw failure;
        }
    }

    @SuppressWarnings("unchecked") // a prepared statement is asked for
    private <Q extends Request, R extends @Nullable Object> R prepared(
            @Nullable WriteScope scope, String cql, Q request, GenericType<R> resultType) {
        try {
            return super.execute(request, resultType);
        } catch (RuntimeException failure) { // some errors of a node are no DriverException here
            PreparedStatement recalled = SentWrites.preparedBefore(scope, cql, getContext(), failure);
            if (recalled == null) {
                throw failure;
            }
            return (R) recalled;
        }
    }

    /** What prepares asynchronously binds and sends on a thread of the driver: the scope goes along. */
    private CompletionStage<PreparedStatement> prepared(@Nullable WriteScope scope, PrepareRequest request) {
        return heardIn(scope, super.execute(request, PrepareRequest.ASYNC).exceptionallyCompose(failure -> {
            PreparedStatement recalled = SentWrites.preparedBefore(scope, request.getQuery(), getContext(), failure);
            return recalled == null
                    ? CompletableFuture.failedFuture(failure)
                    : CompletableFuture.completedFuture(recalled);
        }));
    }

    /** The answer, for those who go on in the scope of who has asked, or at the level of sure reads. */
    private static <T> CompletableFuture<T> heardIn(@Nullable WriteScope scope, CompletionStage<T> answer) {
        CompletableFuture<T> heard = new CompletableFuture<>();
        var unused = answer.whenComplete((value, failure) -> {
            WriteScope.Opened opened = scope == null ? SureLevel.READS.open(true) : scope.openInstead();
            try {
                if (failure == null) {
                    heard.complete(value);
                } else {
                    heard.completeExceptionally(DriverFailures.unwrapped(failure));
                }
            } finally {
                opened.close();
            }
        });
        return heard;
    }

    /** Equal to the driver's own request for the text, whose hash and equality take longer than all the rest of a look-up. */
    private static final class Preparation extends DefaultPrepareRequest {

        private final int hash = super.hashCode();

        private Preparation(String cql) {
            super(cql);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other || super.equals(other);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
