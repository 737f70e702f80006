package io.surewrite.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.connection.ConnectionInitException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import io.surewrite.write.FakeNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.CassandraQuerySyntaxException;

class DriverFailuresTests {

    private static final Node NODE = FakeNode.named("one.test");
    private static final Node OTHER = FakeNode.named("other.test");

    @Test
    void translatesWhatAnAnswerFailsWith() {
        SyntaxError wrong = new SyntaxError(NODE, "?");
        assertThatThrownBy(() -> DriverFailures.joined(DriverFailures.translated(CompletableFuture.supplyAsync(() -> {
                    throw wrong;
                }))))
                .isInstanceOf(CassandraQuerySyntaxException.class);
        IOException checked = new IOException("disk");
        assertThatThrownBy(
                        () -> DriverFailures.joined(DriverFailures.translated(CompletableFuture.failedFuture(checked))))
                .isInstanceOf(IllegalStateException.class)
                .hasCause(checked);
        assertThat(DriverFailures.joined(DriverFailures.translated(CompletableFuture.completedFuture("done"))))
                .isEqualTo("done");
    }

    @Test
    void cancelsTheRequestOfAnAnswerThatIsCancelled() {
        CompletableFuture<String> request = new CompletableFuture<>();
        DriverFailures.translated(request).toCompletableFuture().cancel(true);
        assertThat(request).isCancelled();
    }

    @Test
    void findsTheDataCentersThatTheDriverNames() {
        assertThat(DriverFailures.datacentersToChooseFrom(new IllegalStateException(
                        "bean", new IllegalStateException("No local DC. Current DCs in this cluster are: east, west"))))
                .isEqualTo("east, west");
        assertThat(DriverFailures.datacentersToChooseFrom(
                        new IllegalStateException("Current DCs in this cluster are: east")))
                .isEqualTo("east");
        assertThat(DriverFailures.datacentersToChooseFrom(new IllegalStateException("bean")))
                .isNull();
    }

    @Test
    void doesNotCallANodeUnreachableThatRefusedThePassword() {
        assertThat(DriverFailures.unreachableNodes(atStart(new AuthenticationException(NODE.getEndPoint(), "no"))))
                .isNull();
        // Nor takes it a failed request for a failed start.
        AllNodesFailedException request = AllNodesFailedException.fromErrors(
                List.of(Map.entry(NODE, new ConnectionInitException("refused", null))));
        assertThat(DriverFailures.unreachableNodes(request)).isNull();
        assertThat(DriverFailures.unreachableNodes(new IllegalStateException())).isNull();
    }

    /** As the driver words it; its constructor is not for others. */
    private static AllNodesFailedException atStart(Throwable failure) {
        return new AllNodesFailedException(
                "Could not reach any contact point, make sure you've provided valid addresses",
                null,
                List.of(Map.entry(NODE, List.of(failure)), Map.entry(OTHER, List.of(failure)))) {};
    }
}
