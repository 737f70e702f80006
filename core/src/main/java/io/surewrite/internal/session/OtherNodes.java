package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.session.Session;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

public final class OtherNodes {

    private OtherNodes() {}

    /** Chooses, at random, a node that is up and has no part in a failure; null if there is none, to leave it to the driver. */
    public static @Nullable Node than(Throwable failure, Session session) {
        Set<@Nullable Node> failed = failed(failure);
        List<Node> others = session.getMetadata().getNodes().values().stream()
                .filter(node -> node.getState() != NodeState.DOWN && node.getState() != NodeState.FORCED_DOWN)
                .filter(node -> node.getDistance() == NodeDistance.LOCAL && !failed.contains(node))
                .toList();
        return others.isEmpty() ? null : others.get(ThreadLocalRandom.current().nextInt(others.size()));
    }

    private static Set<@Nullable Node> failed(Throwable failure) {
        Set<@Nullable Node> failed = new HashSet<>();
        if (failure instanceof AllNodesFailedException all) {
            failed.addAll(all.getAllErrors().keySet());
        }
        ExecutionInfo execution = failure instanceof DriverException known ? known.getExecutionInfo() : null;
        if (execution != null) {
            failed.add(execution.getCoordinator());
            execution.getErrors().forEach(earlier -> failed.add(earlier.getKey()));
            // A request that ran into its time-out has no coordinator, but perhaps a node that was chosen here.
            failed.add(execution.getRequest() instanceof Statement<?> statement ? statement.getNode() : null);
        }
        return failed;
    }
}
