package io.surewrite.internal.session;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.unavailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.simulacron.common.codec.ConsistencyLevel;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl;
import io.surewrite.StubCassandra;
import io.surewrite.write.ConditionalWrites;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Where a request goes that a node has failed. */
class OtherNodesTests {

    private static final String READ = "SELECT k FROM t WHERE k = 1";

    private static StubCassandra cassandra;
    private static CqlSession session;

    @BeforeAll
    static void start() {
        cassandra = new StubCassandra(3);
        session = cassandra.session(StubCassandra::impatient);
    }

    @AfterAll
    static void stop() {
        session.close();
        cassandra.close();
    }

    @AfterEach
    void forget() {
        cassandra.forget();
    }

    private static Set<Node> chosen(Throwable failure) {
        Set<Node> chosen = new HashSet<>();
        IntStream.range(0, 60).forEach(time -> chosen.add(OtherNodes.than(failure, session)));
        return chosen;
    }

    private static List<Node> others(Node node) {
        return session.getMetadata().getNodes().values().stream()
                .filter(other -> other != node)
                .toList();
    }

    @Test
    void isNoneThatFailed() {
        cassandra.prime(PrimeDsl.when(READ).then(unavailable(ConsistencyLevel.QUORUM, 2, 1)));
        SimpleStatement read = SimpleStatement.newInstance(READ).setExecutionProfileName(ConditionalWrites.PROFILE);
        UnavailableException failure = catchThrowableOfType(UnavailableException.class, () -> session.execute(read));
        assertThat(chosen(failure)).containsExactlyInAnyOrderElementsOf(others(failure.getCoordinator()));
    }

    /** A time-out does not say which node was silent, unless it was chosen here. */
    @Test
    void isNotTheOneThatWasChosenBefore() {
        Node node = session.getMetadata().getNodes().values().iterator().next();
        cassandra.prime(PrimeDsl.when(READ).then(PrimeDsl.noRows()).delay(5, TimeUnit.SECONDS));
        SimpleStatement read = SimpleStatement.newInstance(READ)
                .setExecutionProfileName(ConditionalWrites.PROFILE)
                .setNode(node);
        DriverTimeoutException failure =
                catchThrowableOfType(DriverTimeoutException.class, () -> session.execute(read));
        assertThat(chosen(failure)).containsExactlyInAnyOrderElementsOf(others(node));
    }
}
