package io.surewrite.write;

import static io.surewrite.write.FailureKind.NOT_APPLIED;
import static io.surewrite.write.FailureKind.UNKNOWN;
import static io.surewrite.write.FailureKind.WRONG_STATEMENT;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.session.Request;
import java.util.AbstractMap.SimpleEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the driver did before a failure, and has still in flight, counts too. */
class WriteHistoryTests {

    private static final Node NODE = FakeNode.named("127.0.0.1");
    private static final Node OTHER = FakeNode.named("127.0.0.2");
    private static final SimpleStatement ONE_ROW = SimpleStatement.newInstance("INSERT INTO t (k) VALUES (1)");

    static Stream<Request> ofSeveralPartitions() {
        return Stream.of(
                SimpleStatement.newInstance("DELETE FROM t WHERE k IN (1, 2)"),
                SimpleStatement.newInstance("BEGIN BATCH INSERT INTO t (k) VALUES (1) APPLY BATCH"),
                SimpleStatement.newInstance("-- x\nBEGIN BATCH INSERT INTO t (k) VALUES (1) APPLY BATCH"),
                BatchStatement.newInstance(DefaultBatchType.LOGGED, ONE_ROW, ONE_ROW));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT * FROM t", "/* q17 */ SELECT * FROM t", "-- q17\n// of a page\nSELECT * FROM t"})
    void aReadAppliesNothingHoweverItFails(String cql) {
        SimpleStatement read = SimpleStatement.newInstance(cql);
        assertThat(WriteFailures.ofPlain(after(new OverloadedException(NODE), read, 1, new OverloadedException(OTHER))))
                .isEqualTo(NOT_APPLIED);
        assertThat(WriteFailures.ofPlain(after(new SyntaxError(NODE, "?"), read, 0)))
                .isEqualTo(WRONG_STATEMENT);
    }

    @Test
    void whatAnEarlierNodeMayHaveAppliedIsUnknown() {
        assertThat(WriteFailures.ofPlain(after(unavailable(NODE), ONE_ROW, 0))).isEqualTo(NOT_APPLIED);
        assertThat(WriteFailures.ofPlain(after(unavailable(NODE), ONE_ROW, 0, new BootstrappingException(OTHER))))
                .isEqualTo(NOT_APPLIED);
        DriverException late = after(unavailable(NODE), ONE_ROW, 0, new OverloadedException(OTHER));
        assertThat(WriteFailures.ofPlain(late)).isEqualTo(UNKNOWN);
        assertThat(WriteFailures.ofConditional(late)).isEqualTo(UNKNOWN);
    }

    @Test
    void whatASpeculativeExecutionMayStillApplyIsUnknown() {
        DriverException one = after(unavailable(NODE), ONE_ROW, 1);
        assertThat(WriteFailures.ofPlain(one)).isEqualTo(UNKNOWN);
        assertThat(WriteFailures.ofConditional(after(new BootstrappingException(NODE), ONE_ROW, 1)))
                .as("conditional writes are never speculated about")
                .isEqualTo(NOT_APPLIED);
        assertThat(WriteFailures.ofPlain(after(new SyntaxError(NODE, "?"), ONE_ROW, 1)))
                .isEqualTo(WRONG_STATEMENT);
    }

    @ParameterizedTest
    @MethodSource("ofSeveralPartitions")
    void onePartitionMayHaveWhatAnotherRefused(Request write) {
        assertThat(WriteFailures.ofPlain(after(unavailable(NODE), write, 0))).isEqualTo(UNKNOWN);
        assertThat(WriteFailures.ofPlain(after(new BootstrappingException(NODE), write, 0, unavailable(OTHER))))
                .isEqualTo(UNKNOWN);
        assertThat(WriteFailures.ofPlain(
                        after(allNodes(new BootstrappingException(NODE), unavailable(OTHER)), write, 0)))
                .isEqualTo(UNKNOWN);
        // And no partition has what was never sent.
        assertThat(WriteFailures.ofPlain(
                        after(new BootstrappingException(NODE), write, 0, new BootstrappingException(OTHER))))
                .isEqualTo(NOT_APPLIED);
        assertThat(WriteFailures.ofPlain(
                        after(allNodes(new BootstrappingException(NODE), new BootstrappingException(OTHER)), write, 0)))
                .isEqualTo(NOT_APPLIED);
    }

    private static DriverException after(
            DriverException last, Request request, int speculativeExecutions, Throwable... earlier) {
        List<Map.Entry<Node, Throwable>> errors = Arrays.stream(earlier)
                .<Map.Entry<Node, Throwable>>map(error -> new SimpleEntry<>(OTHER, error))
                .toList();
        last.setExecutionInfo(FakeNode.told(request, errors, speculativeExecutions));
        return last;
    }

    private static AllNodesFailedException allNodes(Throwable one, Throwable other) {
        return AllNodesFailedException.fromErrors(
                List.of(new SimpleEntry<>(NODE, one), new SimpleEntry<>(OTHER, other)));
    }

    private static UnavailableException unavailable(Node node) {
        return new UnavailableException(node, DefaultConsistencyLevel.SERIAL, 2, 1);
    }
}
