package io.surewrite.internal.clock;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Asks real nodes. */
record SessionNodeClocks(CqlSession session) implements ClockGuard.NodeClocks {

    /** Not {@code now()}: its generator hides that the clock stepped back. */
    private static final SimpleStatement SELECT = SimpleStatement.newInstance(
                    "SELECT currentTimestamp() FROM system.local")
            .setConsistencyLevel(DefaultConsistencyLevel.ONE);

    @Override
    public Set<String> nodes() {
        return reachable().map(SessionNodeClocks::name).collect(Collectors.toSet());
    }

    @Override
    public CompletionStage<Long> millisOf(String name) {
        Node node = reachable()
                .filter(known -> name(known).equals(name))
                .findFirst()
                .orElse(null);
        return node == null
                ? CompletableFuture.failedFuture(new IllegalStateException("The node is away"))
                : session.executeAsync(SELECT.setNode(node))
                        .thenApply(rows -> Objects.requireNonNull(rows.one().get(0, Instant.class))
                                .toEpochMilli());
    }

    @Override
    public boolean isClosed() {
        return session.isClosed();
    }

    /** Those of other data centres, to which the driver has no connection, are left out. */
    private Stream<Node> reachable() {
        return session.getMetadata().getNodes().values().stream()
                .filter(node -> node.getState() == NodeState.UP && node.getDistance() != NodeDistance.IGNORED);
    }

    private static String name(Node node) {
        String address = node.getEndPoint().toString();
        return address.startsWith("/") ? address.substring(1) : address;
    }
}
