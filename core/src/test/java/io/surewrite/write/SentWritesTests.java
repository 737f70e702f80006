package io.surewrite.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SentWritesTests {

    private static final Statement<?> WRITE = SimpleStatement.newInstance("INSERT INTO thing (id) VALUES ('1')");
    private static final Statement<?> OTHER = SimpleStatement.newInstance("INSERT INTO thing (id) VALUES ('2')");

    private final SentWrites sent = new SentWrites(new WriteKeeper() {
        @Override
        public CompletableFuture<WriteReceipt> keep(String operation, long decided, Statement<?> statement) {
            return CompletableFuture.completedFuture(WriteReceipt.KEPT);
        }

        @Override
        public PreparedStatement recall(String cql) {
            throw new AssertionError("What is wrong by now must not be sent later");
        }
    });

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
        PreparedStatement prepared = mock();
        when(prepared.getQuery()).thenReturn("INSERT INTO thing (id) VALUES (?)");
        sent.add(bound(prepared, 1), null);
        sent.add(bound(prepared, 1), null);
        assertThat(sent.keep("op", 1)).isCompleted();
        sent.add(bound(prepared, 2), null);
        refuses("it sent 2 statements");
    }

    private static BoundStatement bound(PreparedStatement prepared, int value) {
        BoundStatement bound = mock();
        when(bound.getPreparedStatement()).thenReturn(prepared);
        when(bound.getValues()).thenReturn(List.of(ByteBuffer.allocate(value)));
        return bound;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void recallsNoStatementThatIsWrongByNow(boolean wrapped) {
        RuntimeException wrong = new SyntaxError(FakeNode.named("127.0.0.1"), "wrong");
        WriteScope scope = new WriteScope(1, true, true, null, sent);
        assertThat(SentWrites.preparedBefore(
                        scope, "INSERT ...", null, wrapped ? new CompletionException(wrong) : wrong))
                .isNull();
    }

    private void refuses(String why) {
        assertThatIllegalStateException().isThrownBy(() -> sent.keep("op", 1)).withMessageContaining(why);
    }
}
