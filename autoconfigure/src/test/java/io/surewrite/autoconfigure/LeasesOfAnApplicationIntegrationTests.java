package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationFilter;
import io.surewrite.lease.Lease;
import io.surewrite.lease.Lease.ReleaseOutcome;
import io.surewrite.lease.LeaseAssert;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.lease.WithLease.WhenHeld;
import io.surewrite.lease.adapter.LeaseLockProvider;
import io.surewrite.lease.adapter.LeaseLockRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.ObservedMeters;
import io.surewrite.testsupport.LongLane;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.cassandra.autoconfigure.CqlSessionBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

class LeasesOfAnApplicationIntegrationTests extends CassandraTest {

    @Test
    void givesAnApplicationLeases() {
        application().withBean(Work.class).run(context -> {
            assertThat(context).hasNotFailed();
            LeaseLocks locks = context.getBean(LeaseLocks.class);
            try (Lease lease = locks.tryAcquire("auto").orElseThrow()) {
                assertThat(lease.isHeld()).isTrue();
                assertThat(lease.holder()).contains("@");
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

    @Test
    @LongLane
    void saysThatALeaseIsNotReentrantWhateverIsSaidOfAHeldName() {
        application().withBean(Work.class).run(context -> {
            Work work = context.getBean(Work.class);
            assertThatIllegalStateException()
                    .isThrownBy(() -> work.under(() -> work.under(() -> {})))
                    .withMessageContaining(
                            "Lease 'work': this thread holds it itself; a lease is not reentrant. Fix: ");
            assertThatIllegalStateException().isThrownBy(() -> work.under(work::skipped));
            work.skipped();
            work.under(() -> {
                Lease lease = LeaseAssert.assertHeld("work");
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
                work.skipped();
            });
            assertThat(work.done()).as("without it, and after its release").hasValue(2);
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
                            .hasSingleBean(RecentFailure.OfLeases.class)
                            .hasSingleBean(LeasesEndpoint.class)
                            .hasBean("surewriteLeasesHeld");
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("surewrite.lease.acquire")
                                    .timer()
                                    .count())
                            .isEqualTo(7);
                });
    }

    /** Whoever only watches makes nothing that needs the table. */
    @Test
    @LongLane
    void needsNoTableUntilSomebodyUsesThem() {
        application()
                .withUserConfiguration(ObservedMeters.class)
                .withPropertyValues(
                        "surewrite.schema.initialize=never",
                        "surewrite.schema.table-prefix=nobody_made_",
                        "management.endpoints.web.exposure.include=leases",
                        "management.endpoint.leases.access=READ_ONLY")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    context.getBean("surewriteLeasesHeld", MeterBinder.class).bindTo(registry);
                    assertThat(registry.get("surewrite.lease.held").gauge().value())
                            .isZero();
                    LeasesEndpoint endpoint = context.getBean(LeasesEndpoint.class);
                    assertThat(endpoint.held()).isEmpty();
                    assertThatThrownBy(() -> endpoint.inspect("x"))
                            .rootCause()
                            .hasMessageContaining("nobody_made_lease is missing");
                });
    }

    @Test
    @LongLane
    void needsItAtTheStartForAMethodUnderALease() {
        application()
                .withBean(Work.class)
                .withPropertyValues("surewrite.schema.initialize=never", "surewrite.schema.table-prefix=nobody_made_")
                .run(context -> assertThat(context).getFailure().hasMessageContaining("nobody_made_lease is missing"));
    }

    /** The pattern of docs/leases.md. */
    @Test
    void runsAScheduledJobInOneProcessOfMany() {
        application()
                .withUserConfiguration(Scheduling.class)
                .withBean(Nightly.class)
                .withUserConfiguration(ObservedMeters.class, NamesOfLeases.class)
                .run(context -> {
                    Nightly job = context.getBean(Nightly.class);
                    await().until(() -> job.runs().get() > 0);
                    try (Lease other = context.getBean(LeaseLocks.class).acquire("nightly", Duration.ofSeconds(30))) {
                        int before = job.runs().get();
                        MeterRegistry meters = context.getBean(MeterRegistry.class);
                        await().until(() -> refused(meters) > 1);
                        assertThat(job.runs())
                                .as("while %s is held", other.name())
                                .hasValue(before);
                    }
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("surewrite.lease.hold")
                                    .tags("lease", "nightly", "outcome", "released")
                                    .timer()
                                    .count())
                            .as("the recipe of docs/meters.md")
                            .isPositive();
                    int skipped = job.runs().get();
                    await().until(() -> job.runs().get() > skipped);
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
                    assertThat(failure).hasMessageContaining("ttl 10 s leaves no time to hold a lease");
                    assertThat(new SurewriteFailureAnalyzer(null)
                                    .analyze(failure)
                                    .getAction())
                            .contains("surewrite.lease");
                });
    }

    private static long refused(MeterRegistry meters) {
        return meters.find("surewrite.lease.acquire").tag("outcome", "refused").timers().stream()
                .mapToLong(Timer::count)
                .sum();
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
                Request request,
                long latencyNanos,
                DriverExecutionProfile profile,
                Node node,
                String requestLogPrefix) {
            if (request instanceof BoundStatement bound
                    && bound.getPreparedStatement().getQuery().contains("surewrite_lease")) {
                seen.add(bound.getPreparedStatement().getQuery().split("\\s", 2)[0]);
            }
        }

        @Override
        public void close() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    @Configuration(proxyBeanMethods = false)
    static class NamesOfLeases {

        /** The bean of docs/meters.md. */
        @Bean
        ObservationFilter namesOfJobs() {
            Set<String> jobs = Set.of("nightly", "import");
            return observed -> {
                KeyValue name = observed.getHighCardinalityKeyValue("name");
                return observed.getName().startsWith("surewrite.lease.") && name != null
                        ? observed.addLowCardinalityKeyValue(
                                KeyValue.of("lease", jobs.contains(name.getValue()) ? name.getValue() : "other"))
                        : observed;
            };
        }
    }

    static class Nightly {

        private final AtomicInteger runs = new AtomicInteger();

        @Scheduled(fixedDelay = 20)
        @WithLease(value = "nightly", whenHeld = WhenHeld.SKIP)
        public void cleanUp() {
            runs.incrementAndGet();
        }

        AtomicInteger runs() {
            return runs;
        }
    }

    static class Work {

        private final AtomicInteger done = new AtomicInteger();

        @WithLease(value = "work", waitAtMost = "30s")
        void under(Runnable inner) {
            inner.run();
        }

        @WithLease(value = "work", whenHeld = WhenHeld.SKIP)
        void skipped() {
            done.incrementAndGet();
        }

        AtomicInteger done() {
            return done;
        }

        @WithLease(key = "'work'")
        boolean heldDuring(LeaseLocks locks) {
            return locks.tryAcquire("work").isEmpty();
        }
    }
}
