package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.lease.adapter.LeaseLockProvider;
import io.surewrite.lease.adapter.LeaseLockRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.ObservedMeters;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.cassandra.autoconfigure.CqlSessionBuilderCustomizer;

class LeasesOfAnApplicationIntegrationTests extends CassandraTest {

    @Test
    void givesAnApplicationLeases() {
        application().withBean(Work.class).run(context -> {
            assertThat(context).hasNotFailed();
            LeaseLocks locks = context.getBean(LeaseLocks.class);
            try (Lease lease = locks.tryAcquire("auto").orElseThrow()) {
                assertThat(lease.isHeld()).isTrue();
                assertThat(locks.tryAcquire("auto")).isEmpty();
            }
            Work work = context.getBean(Work.class);
            assertThat(AopUtils.isAopProxy(work)).isTrue();
            assertThat(work.heldDuring(locks)).isTrue();
            assertThat(context)
                    .hasSingleBean(LeaseLockRegistry.class)
                    .hasSingleBean(LeaseLockProvider.class)
                    .doesNotHaveBean(LeasesEndpoint.class);
            assertThat(context.getBean(LeaseLockRegistry.class).obtain("x").tryLock())
                    .isTrue();
            assertThat(locks.held()).extracting(Lease::name).containsExactly("integration:x");
        });
    }

    /** As a lock by hand has it; and they are watched. */
    @Test
    void sendsTwoRequestsForALeaseOfANewNameAndOfAUsedOne() {
        Requests requests = new Requests();
        application()
                .withUserConfiguration(ObservedMeters.class)
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=leases",
                        "management.endpoint.leases.access=READ_ONLY")
                .withBean(CqlSessionBuilderCustomizer.class, () -> builder -> builder.addRequestTracker(requests))
                .run(context -> {
                    LeaseLocks locks = context.getBean(LeaseLocks.class);
                    locks.tryAcquire("first of the process").orElseThrow().release();
                    for (int i = 0; i < 3; i++) {
                        String name = "new:" + UUID.randomUUID();
                        assertThat(requests.of(locks, name)).as("new").containsExactly("BEGIN", "UPDATE");
                        assertThat(requests.of(locks, name)).as("used").containsExactly("BEGIN", "UPDATE");
                    }
                    assertThat(context)
                            .hasBean("leasesHealthIndicator")
                            .hasSingleBean(LeasesEndpoint.class)
                            .hasBean("surewriteLeasesHeld");
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("surewrite.lease.acquire")
                                    .timer()
                                    .count())
                            .isEqualTo(7);
                });
    }

    @Test
    void refusesPropertiesThatDoNotGoTogether() {
        application()
                .withBean(Work.class)
                .withPropertyValues(
                        "surewrite.lease.ttl=10s", "surewrite.clock.margin=9s", "surewrite.clock.max-offset=9s")
                .run(context -> {
                    assertThat(context).hasFailed();
                    Throwable failure = context.getStartupFailure();
                    assertThat(failure).hasMessageContaining("ttl PT10S leaves no time to hold a lease");
                    assertThat(new SurewriteFailureAnalyzer().analyze(failure).getAction())
                            .contains("surewrite.lease");
                });
    }

    /** How the requests to the table of leases begin, as the driver hears of their answers. */
    private static final class Requests implements RequestTracker {

        private final Queue<String> seen = new ConcurrentLinkedQueue<>();

        /** What the driver sends for an acquisition and a release. It hears of an answer a moment after the caller. */
        List<String> of(LeaseLocks locks, String name) {
            await().until(() -> seen.size() >= 2);
            seen.clear();
            locks.tryAcquire(name).orElseThrow().release();
            await().until(() -> seen.size() >= 2);
            return List.copyOf(seen);
        }

        @Override
        public void onNodeSuccess(
                Request request, long nanos, DriverExecutionProfile profile, Node node, String prefix) {
            if (request instanceof BoundStatement bound
                    && bound.getPreparedStatement().getQuery().contains("surewrite_lease")) {
                seen.add(bound.getPreparedStatement().getQuery().split("\\s", 2)[0]);
            }
        }

        @Override
        public void close() {}
    }

    static class Work {

        @WithLease(key = "'work'")
        boolean heldDuring(LeaseLocks locks) {
            return locks.tryAcquire("work").isEmpty();
        }
    }
}
