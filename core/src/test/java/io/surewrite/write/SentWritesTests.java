package io.surewrite.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.simulacron.common.request.Query;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl;
import io.surewrite.StubCassandra;
import java.util.ArrayList;
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

    private final List<String> remembered = new ArrayList<>();
    private final SentWrites sent = new SentWrites(new WriteKeeper() {
        @Override
        public CompletableFuture<WriteReceipt> keep(String operation, long decided, Statement<?> statement) {
            return CompletableFuture.completedFuture(WriteReceipt.KEPT);
        }

        @Override
        public void remember(PreparedStatement statement) {
            remembered.add(statement.getQuery());
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

    @Test
    void givesTheOneWriteOfTheLastAttempt() {
        sent.add(OTHER, null);
        sent.attemptStarted();
        sent.add(WRITE, null);
        assertThat(sent.onlyWrite()).isSameAs(WRITE);
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
    void countsAWriteOnceThatComesByTwice() {
        sent.add(WRITE, null);
        sent.add(WRITE, null);
        assertThat(sent.onlyWrite()).isSameAs(WRITE);
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

    @Test
    void doesNotTakeReadsForWrites() {
        sent.add(SimpleStatement.newInstance(" \n Select id FROM thing"), null);
        refuses("before it sent anything");
        sent.add(WRITE, null);
        assertThat(sent.onlyWrite()).isSameAs(WRITE);
    }

    @Test
    void refusesMoreThanOneWrite() {
        sent.add(WRITE, null);
        sent.add(OTHER, null);
        refuses("it sent 2 statements");
    }

    @Test
    void refusesAnAttemptWithAConditionalStatement() {
        sent.add(WRITE, null);
        sent.addConditional();
        refuses("it sent a conditional statement");
    }

    @Test
    void hearsFromItsScopeWhatIsSent() {
        WriteScope scope = new WriteScope(1, true, true, null, sent);
        Statement<?> scoped = scope.applyTo(WRITE);
        assertThat(sent.onlyWrite()).isSameAs(scoped);
        Statement<?> conditional = SimpleStatement.newInstance("INSERT INTO thing (id) VALUES ('1') IF NOT EXISTS");
        assertThat(scope.applyTo(conditional)).isSameAs(conditional);
        refuses("it sent a conditional statement");
    }

    @Test
    void itsReceiptsTellDoneFromKept() {
        assertThat(WriteReceipt.WRITTEN.isWritten()).isTrue();
        assertThat(WriteReceipt.KEPT.isWritten()).isFalse();
    }

    @Test
    void notesAWriteThatItHoldsBack() {
        RuntimeException away = new IllegalStateException("away");
        assertThat(sent.heldBack()).isNull();
        sent.holdBack(away);
        assertThat(sent.heldBack()).isSameAs(away);
        assertThatThrownBy(() -> sent.add(WRITE, null)).isSameAs(away);
        sent.attemptStarted();
        assertThatThrownBy(() -> sent.add(WRITE, null)).isSameAs(away);
        assertThat(sent.onlyWrite()).isSameAs(WRITE);
        assertThatThrownBy(sent::addConditional).isSameAs(away);
    }

    @Test
    void hasPreparedStatementsRememberedThoseOfBatchesToo() {
        sent.add(WRITE, null);
        assertThat(remembered).isEmpty();
        sent.add(BatchStatement.newInstance(DefaultBatchType.LOGGED, prepared.bind("1"), prepared.bind("2")), null);
        assertThat(remembered).containsExactly(TEXT, TEXT);
    }

    @Test
    void recallsAStatementThatCannotBePrepared() {
        WriteScope scope = new WriteScope(1, true, true, null, sent);
        assertThat(SentWrites.preparedBefore(scope, TEXT, session.getContext(), new IllegalStateException("away")))
                .isSameAs(prepared);
        assertThat(SentWrites.preparedBefore(
                        scope, "another text", session.getContext(), new IllegalStateException("away")))
                .isNull();
    }

    @Test
    void recallsNothingWhereNothingIsKept() {
        assertThat(SentWrites.preparedBefore(null, TEXT, session.getContext(), new IllegalStateException("away")))
                .isNull();
        assertThat(SentWrites.preparedBefore(
                        WriteScope.at(1), TEXT, session.getContext(), new IllegalStateException("away")))
                .isNull();
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
