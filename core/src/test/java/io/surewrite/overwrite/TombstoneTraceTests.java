package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.TraceEvent;
import com.datastax.oss.driver.internal.core.cql.DefaultQueryTrace;
import com.datastax.oss.driver.internal.core.cql.DefaultTraceEvent;
import io.surewrite.overwrite.TombstoneBudget.TombstoneCount;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TombstoneTraceTests {

    @Test
    void addsUpWhatOneReplicaReadAndTakesTheWorstReplica() {
        assertThat(worst(
                        event(1, "Read 10 live rows and 3 tombstone cells"),
                        event(2, "Read 10 live rows and 2 tombstone cells"),
                        event(2, "Read 1 live rows and 2 tombstone cells"),
                        event(1, "Executing single-partition query on roles")))
                .contains(new TombstoneCount(11, 4));
    }

    @Test
    void understandsTheWordingOfEveryServer() {
        assertThat(worst(event(1, "Read 1 live rows and 2 tombstone cells"))).contains(new TombstoneCount(1, 2));
        assertThat(worst(event(1, "Read 1 live rows and 2 tombstones"))).contains(new TombstoneCount(1, 2));
        assertThat(worst(event(1, "Read 1 live rows and 2 tombstone"))).contains(new TombstoneCount(1, 2));
    }

    @Test
    void findsNothingInATraceWithoutReads() {
        assertThat(worst(event(1, "Appending to commitlog"))).isEmpty();
    }

    private static Optional<TombstoneCount> worst(TraceEvent... events) {
        InetSocketAddress coordinator = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        return TombstoneBudget.worst(new DefaultQueryTrace(
                UUID.randomUUID(), "", 0, coordinator, Map.of(), 0, List.copyOf(Arrays.asList(events))));
    }

    private static TraceEvent event(int replica, String activity) {
        return new DefaultTraceEvent(activity, 0, new InetSocketAddress("127.0.0." + replica, 1), 0, "");
    }
}
