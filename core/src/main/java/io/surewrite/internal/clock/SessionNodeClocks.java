package io.surewrite.internal.clock;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Asks real nodes, and the clocks of this machine. */
record SessionNodeClocks(CqlSession session, LongSupplier micros) implements ClockGuard.NodeClocks {

    /** Not {@code now()}: its generator hides that the clock stepped back. */
    private static final SimpleStatement SELECT = SimpleStatement.newInstance(
                    "SELECT currentTimestamp() FROM system.local")
            .setConsistencyLevel(DefaultConsistencyLevel.ONE);

    /** Without those of other data centres, to which the driver has no connection. */
    @Override
    public Map<String, Supplier<CompletionStage<Long>>> nodes() {
        return session.getMetadata().getNodes().values().stream()
                .filter(node -> node.getState() == NodeState.UP && node.getDistance() != NodeDistance.IGNORED)
                .collect(Collectors.toMap(SessionNodeClocks::name, node -> () -> millisOf(node), (one, other) -> one));
    }

    private CompletionStage<Long> millisOf(Node node) {
        return session.executeAsync(SELECT.setNode(node))
                .thenApply(rows ->
                        Objects.requireNonNull(rows.one().get(0, Instant.class)).toEpochMilli());
    }

    private static String name(Node node) {
        String address = node.getEndPoint().toString();
        return address.startsWith("/") ? address.substring(1) : address;
    }

    @Override
    public boolean isClosed() {
        return session.isClosed();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMicros() {
        return micros.getAsLong();
    }

    /** By the timer that all futures share: no pool of the application's can be too busy for a short task. */
    @Override
    public void after(long nanos, Runnable task) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run)
                .execute(task);
    }
}
