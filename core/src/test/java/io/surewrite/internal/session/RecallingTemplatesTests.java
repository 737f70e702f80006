package io.surewrite.internal.session;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.unavailable;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.simulacron.common.codec.ConsistencyLevel;
import io.surewrite.StubCassandra;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.SentWrites;
import io.surewrite.write.WriteKeeper;
import io.surewrite.write.WriteReceipt;
import io.surewrite.write.WriteScope;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** A write that is to be kept for later uses the statement that was prepared before the cluster went away. */
class RecallingTemplatesTests {

    private static final String LOST = "INSERT INTO thing (id) VALUES ('lost')";
    private static final String KNOWN = "INSERT INTO thing (id) VALUES ('known')";

    private static StubCassandra cassandra;
    private static CqlSession session;
    private static ScopedTemplates templates;
    private static PreparedStatement known;

    @BeforeAll
    static void start() {
        cassandra = new StubCassandra(1);
        session = cassandra.session();
        templates = ScopedTemplates.of(session);
        cassandra.prime(when(KNOWN).then(noRows()));
        cassandra.prime(
                when(LOST).then(unavailable(ConsistencyLevel.QUORUM, 2, 1)).applyToPrepare());
        known = session.prepare(KNOWN);
    }

    @AfterAll
    static void stop() {
        session.close();
        cassandra.close();
    }

    static Stream<Arguments> ways() {
        return Stream.of(
                way("blocking", () -> templates.blocking().getCqlOperations().execute(LOST, new Object[0])),
                way(
                        "async",
                        () -> templates
                                .async()
                                .getAsyncCqlOperations()
                                .execute(LOST, new Object[0])
                                .join()),
                way(
                        "reactive",
                        () -> inScope(templates
                                        .reactive()
                                        .getReactiveCqlOperations()
                                        .execute(LOST, new Object[0]))
                                .block()));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void useWhatWasPreparedBefore(String kind, Runnable write) {
        int before = cassandra.sent(KNOWN).size();
        keeping().call(() -> {
            write.run();
            return null;
        });
        assertThat(cassandra.sent(KNOWN)).hasSize(before + 1);
        assertThat(cassandra.timestamps(KNOWN)).last().isEqualTo(100L);
    }

    private static WriteScope keeping() {
        return new WriteScope(100, true, true, null, new SentWrites(new WriteKeeper() {
            @Override
            public CompletableFuture<WriteReceipt> keep(String operation, long decided, Statement<?> write) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void remember(PreparedStatement prepared) {}

            @Override
            public @Nullable PreparedStatement recall(String cql) {
                return cql.equals(LOST) ? known : null;
            }
        }));
    }

    /** In the scope of the subscription: while a statement is prepared, another thread takes over. */
    private static <T> Mono<T> inScope(Mono<T> write) {
        WriteScope scope = WriteScope.current();
        return scope == null ? write : write.contextWrite(ReactiveWriteScope.enter(scope));
    }

    private static Arguments way(String kind, Runnable write) {
        return Arguments.of(kind, write);
    }
}
