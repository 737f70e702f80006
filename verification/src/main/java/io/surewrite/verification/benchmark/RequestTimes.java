package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** How long each request took, as the driver says: what its answer has a thread of the driver do at once is a part of it. */
final class RequestTimes implements RequestTracker {

    private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();

    @Override
    public void onSuccess(
            Request request, long latency, DriverExecutionProfile profile, Node node, String requestLogPrefix) {
        nanos.add(latency);
    }

    /** {@return those since the last time, in their order} */
    List<Long> take() {
        List<Long> taken = new ArrayList<>();
        for (Long next = nanos.poll(); next != null; next = nanos.poll()) {
            taken.add(next);
        }
        return taken;
    }

    @Override
    public void close() {}
}
