package io.surewrite.cql.session;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import io.surewrite.cql.AttemptNotes;
import io.surewrite.cql.ReactiveWriteScope;
import io.surewrite.cql.SentWrites;
import io.surewrite.cql.WriteScope;
import java.util.Map;
import java.util.Optional;
import org.springframework.data.cassandra.ReactiveResultSet;
import org.springframework.data.cassandra.ReactiveSession;
import reactor.core.publisher.Mono;

/**
 * A {@link ReactiveSession} that applies the {@link WriteScope} of each subscription to its statement.
 *
 * @param session does the work
 */
public record ScopedReactiveSession(ReactiveSession session) implements ReactiveSession {

    static ReactiveSession of(ReactiveSession session) {
        return session instanceof ScopedReactiveSession ? session : new ScopedReactiveSession(session);
    }

    @Override
    public Mono<ReactiveResultSet> execute(Statement<?> statement) {
        return Mono.deferContextual(context -> {
            WriteScope scope = ReactiveWriteScope.currentFor(statement, context);
            Statement<?> scoped = SureReads.applyTo(statement, scope, SureReads.isEntered(context), getContext());
            Mono<ReactiveResultSet> answer = session.execute(scoped);
            return scope == null ? answer : noted(scope.statements(), scoped, answer);
        });
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
}
