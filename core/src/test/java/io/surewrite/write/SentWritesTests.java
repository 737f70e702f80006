package io.surewrite.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.simulacron.common.request.Query;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl;
import io.surewrite.StubCassandra;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SentWritesTests {

    private static final String TEXT = "INSERT INTO thing (id) VALUES (?)";
    private static final Statement<?> WRITE = SimpleStatement.newInstance("INSERT INTO thing (id) VALUES ('1')");
    private static final Statement<?> OTHER = SimpleStatement.newInstance("INSERT INTO thing (id) VALUES ('2')");

    private static StubCassandra cassandra;
    private static CqlSession session;
    private static PreparedStatement prepared;

    private final SentWrites sent = new SentWrites(new WriteKeeper() {
        @Override
        public CompletableFuture<WriteReceipt> keep(String operation, long decided, Statement<?> statement) {
            return CompletableFuture.completedFuture(WriteReceipt.KEPT);
        }

        @Override
        public PreparedStatement recall(String cql) {
            return cql.equals(TEXT) ? prepared : null;
        }
    });

    @BeforeAll
    static void start() {
        cassandra = new StubCassandra(1);
        session = cassandra.session();
        cassandra.prime(PrimeDsl.when(
                        new Query(TEXT, List.of(), new LinkedHashMap<>(), new LinkedHashMap<>(Map.of("id", "ascii"))))
                .then(PrimeDsl.noRows()));
        prepared = session.prepare(TEXT);
    }

    @AfterAll
    static void stop() {
        session.close();
        cassandra.close();
    }

    /** The last attempt may have ended before it sent all. */
    @Test
    void refusesWhatAnEarlierAttemptHasShownToBeMore() {
        sent.add(WRITE, null);
        sent.add(OTHER, null);
        sent.attemptStarted();
        sent.add(WRITE, null);
        refuses("it sent 2 statements");
        sent.addConditional();
        sent.attemptStarted();
        sent.add(WRITE, null);
        refuses("it sent a conditional statement");
    }

    @Test
    void countsBoundStatementsWithTheSameValuesOnce() {
        assertThat(prepared.getVariableDefinitions().get(0).getType()).isEqualTo(DataTypes.ASCII);
        sent.add(prepared.bind("1"), null);
        sent.add(prepared.bind("1"), null);
        assertThat(sent.onlyWrite()).isNotNull();
        sent.add(prepared.bind("2"), null);
        refuses("it sent 2 statements");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void recallsNoStatementThatIsWrongByNow(boolean wrapped) {
        RuntimeException wrong = new SyntaxError(
                session.getMetadata().getNodes().values().iterator().next(), "wrong");
        WriteScope scope = new WriteScope(1, true, true, null, sent);
        assertThat(SentWrites.preparedBefore(
                        scope, TEXT, session.getContext(), wrapped ? new CompletionException(wrong) : wrong))
                .isNull();
    }

    private void refuses(String why) {
        assertThatIllegalStateException().isThrownBy(sent::onlyWrite).withMessageContaining(why);
    }
}
