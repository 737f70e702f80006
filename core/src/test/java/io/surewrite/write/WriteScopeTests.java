package io.surewrite.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class WriteScopeTests {

    private static final SimpleStatement WRITE = SimpleStatement.newInstance("INSERT INTO t (k) VALUES (1)");
    private static final WriteScope SCOPE = new WriteScope(100, true, true, null, null);

    @Test
    void respectsWhatAStatementChose() {
        SimpleStatement own =
                WRITE.setQueryTimestamp(7).setIdempotent(false).setConsistencyLevel(DefaultConsistencyLevel.ONE);
        assertThat(SCOPE.applyTo(own)).isEqualTo(own);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t (k) VALUES (1) IF NOT EXISTS",
                "update t set v = 1 where k = 1 if v = 2",
                "DELETE FROM t WHERE k=1\nIF\tEXISTS",
                "UPDATE t SET v=1 WHERE k='x'IF v=2"
            })
    void leavesConditionalStatementsAlone(String cql) {
        SimpleStatement conditional = SimpleStatement.newInstance(cql);
        assertThat(SCOPE.applyTo(conditional)).isSameAs(conditional);
        BatchStatement batch = BatchStatement.newInstance(DefaultBatchType.LOGGED, WRITE, conditional);
        assertThat(SCOPE.applyTo(batch)).isSameAs(batch);
    }

    @Test
    void followsASubscription() {
        Mono<Statement<?>> write = Mono.deferContextual(
                context -> Mono.just(ReactiveWriteScope.current(context).applyTo(WRITE)));
        Mono<Statement<?>> inner = write.contextWrite(ReactiveWriteScope.enter(WriteScope.at(200)));
        assertThat(inner.block().getQueryTimestamp()).isEqualTo(200);
        assertThat(inner.contextWrite(ReactiveWriteScope.enter(SCOPE)).block().getQueryTimestamp())
                .as("nested")
                .isEqualTo(100);
        assertThat(SCOPE.call(inner::block).getQueryTimestamp())
                .as("subscribed inside a thread's scope")
                .isEqualTo(100);
    }
}
