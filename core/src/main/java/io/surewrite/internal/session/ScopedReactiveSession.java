package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.write.AttemptNotes;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.SentWrites;
import io.surewrite.write.WriteOutcome;
import io.surewrite.write.WriteScope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.ReactiveResultSet;
import org.springframework.data.cassandra.ReactiveSession;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A {@link ReactiveSession} that applies the {@link WriteScope} of each subscription to its statement; of a template, also its guards.
 */
public record ScopedReactiveSession(
        ReactiveSession session, @Nullable StatementGuards guards) implements ReactiveSession {

    public ScopedReactiveSession(ReactiveSession session) {
        this(session, null);
    }

    static ReactiveSession of(ReactiveSession session, @Nullable StatementGuards guards) {
        if (session instanceof ScopedReactiveSession scoped) {
            return guards == null ? session : new ScopedReactiveSession(scoped.session, guards);
        }
        return new ScopedReactiveSession(session, guards);
    }

    @Override
    public Mono<ReactiveResultSet> execute(Statement<?> statement) {
        return Mono.deferContextual(context -> {
            InsertedRows.admit(ReactiveWriteScope.current(context), statement, getContext());
            CompletionStage<AsyncResultSet> guarded = guards == null ? null : guarded(guards, statement, context);
            if (guarded != null) {
                return Mono.fromCompletionStage(guarded).map(answer -> new Answer(answer, answer.wasApplied()));
            }
            WriteScope scope = ReactiveWriteScope.currentFor(statement, context);
            Statement<?> scoped = SureLevel.scoped(
                    statement, scope, SureLevel.isReading() || SureLevel.READS.in(context) != null, getContext());
            Mono<ReactiveResultSet> answer = session.execute(scoped);
            return scope == null ? answer : noted(scope.statements(), scoped, answer);
        });
    }

    private @Nullable CompletionStage<AsyncResultSet> guarded(
            StatementGuards by, Statement<?> statement, ContextView subscriber) {
        WriteScope scope = ReactiveWriteScope.current(subscriber);
        CqlText.@Nullable Name inserting = StatementGuards.INSERTING.in(subscriber);
        Consumer<WriteOutcome> told = StatementGuards.TELLING.in(subscriber);
        return scope == null
                ? by.send(statement, getContext(), false, inserting, told)
                : scope.<@Nullable CompletionStage<AsyncResultSet>>call(
                        () -> by.send(statement, getContext(), false, inserting, told));
    }

    private static Mono<ReactiveResultSet> noted(
            AttemptNotes notes, Statement<?> statement, Mono<ReactiveResultSet> answer) {
        notes.awaited(statement);
        return answer.doOnSuccess(row -> notes.acknowledged(statement))
                .doOnError(failure -> notes.failed(statement, failure));
    }

    @Override
    public Mono<ReactiveResultSet> execute(String cql) {
        return execute(SimpleStatement.newInstance(cql));
    }

    @Override
    public Mono<ReactiveResultSet> execute(String cql, Object... values) {
        return execute(SimpleStatement.newInstance(cql, values));
    }

    @Override
    public Mono<ReactiveResultSet> execute(String cql, Map<String, Object> values) {
        return execute(SimpleStatement.newInstance(cql, values));
    }

    @Override
    public Mono<PreparedStatement> prepare(String cql) {
        return recalling(cql, session.prepare(cql));
    }

    @Override
    public Mono<PreparedStatement> prepare(SimpleStatement statement) {
        return recalling(statement.getQuery(), session.prepare(statement));
    }

    private Mono<PreparedStatement> recalling(String cql, Mono<PreparedStatement> prepared) {
        return Mono.deferContextual(context -> prepared.onErrorResume(failure -> {
            PreparedStatement recalled =
                    SentWrites.preparedBefore(ReactiveWriteScope.current(context), cql, getContext(), failure);
            return recalled == null ? Mono.error(failure) : Mono.just(recalled);
        }));
    }

    @Override
    public Optional<CqlIdentifier> getKeyspace() {
        return session.getKeyspace();
    }

    @Override
    public Metadata getMetadata() {
        return session.getMetadata();
    }

    @Override
    public DriverContext getContext() {
        return session.getContext();
    }

    @Override
    public boolean isClosed() {
        return session.isClosed();
    }

    @Override
    public void close() {
        session.close();
    }

    /** The answer to a write that was guarded. The driver's own does not know whether it was applied when its rows were read. */
    private record Answer(AsyncResultSet answer, boolean wasApplied) implements ReactiveResultSet {

        @Override
        public Flux<Row> rows() {
            return availableRows();
        }

        @Override
        public Flux<Row> availableRows() {
            return Flux.fromIterable(answer.currentPage());
        }

        @Override
        public ColumnDefinitions getColumnDefinitions() {
            return answer.getColumnDefinitions();
        }

        @Override
        public ExecutionInfo getExecutionInfo() {
            return answer.getExecutionInfo();
        }

        @Override
        public List<ExecutionInfo> getAllExecutionInfo() {
            return List.of(getExecutionInfo());
        }
    }
}
