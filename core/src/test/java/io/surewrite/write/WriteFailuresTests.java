package io.surewrite.write;

import static io.surewrite.write.FailureKind.NOT_APPLIED;
import static io.surewrite.write.FailureKind.OTHER;
import static io.surewrite.write.FailureKind.UNKNOWN;
import static io.surewrite.write.FailureKind.WRONG_STATEMENT;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverExecutionException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.InvalidKeyspaceException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.FrameTooLongException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.CASWriteUnknownException;
import com.datastax.oss.driver.api.core.servererrors.CDCWriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ProtocolError;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.codec.CodecNotFoundException;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import io.netty.handler.codec.EncoderException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.AbstractMap.SimpleEntry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.cassandra.CassandraUncategorizedException;
import org.springframework.data.cassandra.core.cql.CassandraExceptionTranslator;
import reactor.core.Exceptions;

class WriteFailuresTests {

    private static final Node NODE = FakeNode.named("127.0.0.1");
    private static final Node OTHER_NODE = FakeNode.named("127.0.0.2");

    /** The table: the failure, what it means for a conditional write, what for a plain one. */
    static Stream<Arguments> table() {
        DefaultConsistencyLevel quorum = DefaultConsistencyLevel.QUORUM;
        return Stream.of(
                row(writeTimeout(DefaultWriteType.CAS), UNKNOWN, UNKNOWN),
                row(writeTimeout(DefaultWriteType.SIMPLE), UNKNOWN, UNKNOWN),
                row(writeTimeout(DefaultWriteType.BATCH), UNKNOWN, UNKNOWN),
                row(writeTimeout(DefaultWriteType.BATCH_LOG), UNKNOWN, UNKNOWN),
                row(new CASWriteUnknownException(NODE, quorum, 1, 2), UNKNOWN, UNKNOWN),
                row(
                        new WriteFailureException(NODE, quorum, 1, 2, DefaultWriteType.SIMPLE, 1, Map.of()),
                        UNKNOWN,
                        UNKNOWN),
                row(new CDCWriteFailureException(NODE), UNKNOWN, UNKNOWN),
                row(new ServerError(NODE, "broken"), UNKNOWN, UNKNOWN),
                row(new OverloadedException(NODE), UNKNOWN, UNKNOWN),
                row(new ProtocolError(NODE, "odd"), UNKNOWN, UNKNOWN),
                row(new DriverTimeoutException("late"), UNKNOWN, UNKNOWN),
                row(new ClosedConnectionException("gone"), UNKNOWN, UNKNOWN),
                row(new HeartbeatException(new InetSocketAddress(1), "no pulse", null), UNKNOWN, UNKNOWN),
                row(new CancellationException(), UNKNOWN, UNKNOWN),
                row(new InterruptedException(), UNKNOWN, UNKNOWN),
                row(unavailable(DefaultConsistencyLevel.SERIAL), NOT_APPLIED, NOT_APPLIED),
                row(unavailable(DefaultConsistencyLevel.LOCAL_SERIAL), NOT_APPLIED, NOT_APPLIED),
                row(unavailable(quorum), UNKNOWN, NOT_APPLIED),
                row(new ReadTimeoutException(NODE, quorum, 1, 2, false), UNKNOWN, NOT_APPLIED),
                row(new NoNodeAvailableException(), NOT_APPLIED, NOT_APPLIED),
                row(new NodeUnavailableException(NODE), NOT_APPLIED, NOT_APPLIED),
                row(new BusyConnectionException(1), NOT_APPLIED, NOT_APPLIED),
                row(new RequestThrottlingException("full"), NOT_APPLIED, NOT_APPLIED),
                row(new BootstrappingException(NODE), NOT_APPLIED, NOT_APPLIED),
                row(new CodecNotFoundException(DataTypes.INT, GenericType.STRING), WRONG_STATEMENT, WRONG_STATEMENT),
                row(new FrameTooLongException(new InetSocketAddress(1), "long"), WRONG_STATEMENT, WRONG_STATEMENT),
                row(new InvalidQueryException(NODE, "no table"), WRONG_STATEMENT, WRONG_STATEMENT),
                row(new InvalidKeyspaceException("no keyspace"), WRONG_STATEMENT, WRONG_STATEMENT),
                row(new SyntaxError(NODE, "?"), WRONG_STATEMENT, WRONG_STATEMENT),
                row(new UnauthorizedException(NODE, "no"), WRONG_STATEMENT, WRONG_STATEMENT));
    }

    /** Beside the table: what is suppressed, what nobody knows, what could not be encoded, what is none of Cassandra's. */
    static Stream<Arguments> others() {
        return Stream.of(
                row(
                        Exceptions.multiple(
                                new SyntaxError(NODE, "?"), new OverloadedException(NODE), new Error("odd")),
                        UNKNOWN,
                        UNKNOWN),
                row(allNodes(new ClosedChannelException()), UNKNOWN, UNKNOWN),
                row(new DriverExecutionException(new java.io.IOException()), UNKNOWN, UNKNOWN),
                row(allNodes(new EncoderException(new IllegalArgumentException())), WRONG_STATEMENT, WRONG_STATEMENT),
                row(allNodes(new IllegalArgumentException()), WRONG_STATEMENT, WRONG_STATEMENT),
                row(new IllegalStateException(), OTHER, OTHER),
                row(new OptimisticLockingFailureException("lost"), OTHER, OTHER),
                row(new UnknownOutcomeException("in vain", new DriverTimeoutException("late")), OTHER, OTHER));
    }

    @ParameterizedTest
    @MethodSource({"table", "others"})
    void readsTheTable(Throwable failure, FailureKind conditional, FailureKind plain) {
        assertBoth(failure, conditional, plain);
    }

    @ParameterizedTest
    @MethodSource("table")
    void theWorstOfSeveralNodesDecides(Throwable failure, FailureKind conditional, FailureKind plain) {
        assertBoth(allNodes(failure, new BootstrappingException(NODE)), conditional, plain);
        assertBoth(allNodes(new OverloadedException(NODE), failure), UNKNOWN, UNKNOWN);
    }

    @ParameterizedTest
    @MethodSource("table")
    void readsTheSameThroughSpringsTranslation(Throwable failure, FailureKind conditional, FailureKind plain) {
        if (failure instanceof DriverException driverFailure) {
            DataAccessException translated =
                    new CassandraExceptionTranslator().translateExceptionIfPossible(driverFailure);
            assertThat(translated).isNotNull();
            assertBoth(translated, conditional, plain);
        }
        assertBoth(new CassandraUncategorizedException("?", failure), conditional, plain);
        assertBoth(new IllegalStateException("business", failure), conditional, plain);
        assertBoth(new DriverExecutionException(failure), conditional, plain);
        assertBoth(Exceptions.propagate(new Exception(failure)), conditional, plain);
    }

    @Test
    void survivesACauseThatGoesInACircle() {
        Exception first = new Exception();
        Exception second = new Exception(first);
        first.initCause(second);
        assertBoth(first, OTHER, OTHER);
    }

    @Test
    void knowsNothingOfASentConditionalWriteThatAForeignFailureEnded() {
        assertThat(WriteFailures.ofSentConditional(new IllegalStateException())).isEqualTo(UNKNOWN);
        assertThat(WriteFailures.ofSentConditional(new IllegalArgumentException()))
                .isEqualTo(WRONG_STATEMENT);
        assertThat(WriteFailures.ofSentConditional(unavailable(DefaultConsistencyLevel.SERIAL)))
                .isEqualTo(NOT_APPLIED);
    }

    private static void assertBoth(Throwable failure, FailureKind conditional, FailureKind plain) {
        assertThat(WriteFailures.ofConditional(failure)).as("conditional").isEqualTo(conditional);
        assertThat(WriteFailures.ofPlain(failure)).as("plain").isEqualTo(plain);
    }

    private static Arguments row(Throwable failure, FailureKind conditional, FailureKind plain) {
        return Arguments.of(failure, conditional, plain);
    }

    private static AllNodesFailedException allNodes(Throwable... failures) {
        List<Map.Entry<Node, Throwable>> errors = new java.util.ArrayList<>();
        for (int i = 0; i < failures.length; i++) {
            errors.add(new SimpleEntry<>(i == 0 ? NODE : OTHER_NODE, failures[i]));
        }
        return AllNodesFailedException.fromErrors(errors);
    }

    private static WriteTimeoutException writeTimeout(DefaultWriteType type) {
        return new WriteTimeoutException(NODE, DefaultConsistencyLevel.QUORUM, 1, 2, type);
    }

    private static UnavailableException unavailable(DefaultConsistencyLevel level) {
        return new UnavailableException(NODE, level, 2, 1);
    }
}
