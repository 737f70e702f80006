package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.lease.adapter.LeaseLockRegistry;
import io.surewrite.observe.LeaseHealthIndicator;
import io.surewrite.observe.LeasesEndpoint;
import io.surewrite.observe.MicrometerLeaseListener;
import io.surewrite.test.CassandraTest;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.integration.support.locks.LockRegistry;

class SurewriteLeaseIntegrationTests extends CassandraTest {

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
            assertThat(context).hasSingleBean(LeaseLockRegistry.class);
            assertThat(context.getBean(LeaseLockRegistry.class).obtain("x").tryLock())
                    .isTrue();
            assertThat(locks.held()).extracting(Lease::name).containsExactly("integration:x");
        });
    }

    @Test
    void watchesThem() {
        application()
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=leases",
                        "management.endpoint.leases.access=READ_ONLY")
                .run(context -> {
                    assertThat(context)
                            .hasSingleBean(MicrometerLeaseListener.class)
                            .hasSingleBean(LeaseHealthIndicator.class)
                            .hasSingleBean(LeasesEndpoint.class)
                            .hasBean("surewriteLeasesHeld");
                    context.getBean(LeaseLocks.class).tryAcquire("watched");
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("surewrite.lease.acquire")
                                    .timer()
                                    .count())
                            .isEqualTo(1);
                });
    }

    @Test
    void showsThemOnlyWhereAsked() {
        application().run(context -> assertThat(context).doesNotHaveBean(LeasesEndpoint.class));
    }

    @Test
    void needsNoneOfTheLibrariesItAdaptsTo() {
        application()
                .withClassLoader(new FilteredClassLoader(
                        LockRegistry.class, MeterRegistry.class, HealthIndicator.class, Endpoint.class))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(LeaseLocks.class);
                    assertThat(context).doesNotHaveBean(LeaseListener.class);
                });
    }

    @Test
    void canBeSwitchedOff() {
        application()
                .withPropertyValues("surewrite.lease.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseLocks.class));
    }

    @Test
    void givesAThreadItsLeaseAgainIfConfigured() {
        application().withPropertyValues("surewrite.lease.reentrant=true").run(context -> {
            LeaseLocks locks = context.getBean(LeaseLocks.class);
            Lease outer = locks.tryAcquire("again").orElseThrow();
            assertThat(locks.tryAcquire("again")).isPresent();
            assertThat(outer.isHeld()).isTrue();
        });
    }

    @Test
    void refusesPropertiesThatDoNotGoTogether() {
        application()
                .withPropertyValues("surewrite.lease.ttl=10s", "surewrite.lease.renew-interval=5s")
                .run(context -> {
                    assertThat(context).hasFailed();
                    Throwable failure = context.getStartupFailure();
                    assertThat(failure).rootCause().hasMessageContaining("renew-interval PT5S must be less than half");
                    assertThat(new LeaseSettingsFailureAnalyzer()
                                    .analyze(failure)
                                    .getAction())
                            .contains("surewrite.lease");
                });
    }

    static class Work {

        @WithLease(key = "'work'")
        boolean heldDuring(LeaseLocks locks) {
            return locks.tryAcquire("work").isEmpty();
        }
    }
}
