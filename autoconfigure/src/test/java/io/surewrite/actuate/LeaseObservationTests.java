package io.surewrite.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.surewrite.lease.AcquireOutcome;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.LossReason;
import io.surewrite.lease.tenure.InMemoryLeases;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class LeaseObservationTests {

    private final InMemoryLeases table = new InMemoryLeases();

    @AfterEach
    void close() {
        table.close();
    }

    @Test
    void countsWhatHappensToLeases() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        LeaseLocks locks = table.process(new SurewriteMeters(registry));

        Lease first = locks.tryAcquire("a").orElseThrow();
        assertThat(locks.tryAcquire("a")).isEmpty();
        assertThat(first.renew()).isTrue();
        first.release();
        Lease second = locks.tryAcquire("a").orElseThrow();
        table.clear("a");
        assertThat(second.renew()).isFalse();
        second.release();

        assertThat(registry.get("surewrite.lease.acquire")
                        .tag("outcome", "acquired")
                        .timer()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("surewrite.lease.acquire")
                        .tag("outcome", "refused")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(count(registry, "renew", "confirmed", "true")).isEqualTo(1);
        assertThat(count(registry, "renew", "confirmed", "false")).isEqualTo(1);
        assertThat(count(registry, "lost", "reason", "gone")).isEqualTo(1);
        assertThat(count(registry, "release", "outcome", "released")).isEqualTo(1);
        assertThat(count(registry, "release", "outcome", "not-held")).isEqualTo(1);
        assertThat(registry.get("surewrite.lease.hold")
                        .tag("end", "released")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("surewrite.lease.hold")
                        .tag("end", "lost")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void isDownWhileTheTableSaysNothing() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        LeaseHealthIndicator health = new LeaseHealthIndicator(clock(now::get));
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);

        health.renewed("a", false);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        health.renewed("a", true);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        health.notAcquired("a", Duration.ZERO, AcquireOutcome.UNAVAILABLE);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        health.notAcquired("a", Duration.ZERO, AcquireOutcome.ABANDONED);
        assertThat(health.health().getStatus()).as("an interrupt says nothing").isEqualTo(Status.DOWN);
        now.set(Instant.EPOCH.plusSeconds(61));
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        assertThat(health.health().getDetails()).containsEntry("lost", 0L);
    }

    @Test
    void remembersLosses() {
        LeaseHealthIndicator health = new LeaseHealthIndicator(Clock.systemUTC());
        Lease lease = table.process(new LeaseListener() {}).tryAcquire("a").orElseThrow();
        health.lost(lease, LossReason.GONE, Duration.ZERO);
        assertThat(health.health().getDetails()).containsEntry("lost", 1L).containsKey("lastLoss");
    }

    @Test
    void showsLeasesAndNames() {
        LeaseLocks locks = table.process();
        LeasesEndpoint endpoint = new LeasesEndpoint(locks::held, locks::inspect);
        Lease lease = locks.tryAcquire(LeaseRequest.of("a").withPayload("x")).orElseThrow();

        assertThat(endpoint.held()).singleElement().satisfies(held -> {
            assertThat(held.name()).isEqualTo("a");
            assertThat(held.token()).isEqualTo(lease.token());
            assertThat(held.payload()).isEqualTo("x");
            assertThat(held.remaining()).isPositive();
        });
        assertThat(endpoint.inspect("a").holder()).isEqualTo("somebody");
        assertThat(endpoint.inspect("never")).isNull();
    }

    private static double count(SimpleMeterRegistry registry, String meter, String tag, String value) {
        return registry.get("surewrite.lease." + meter)
                .tag(tag, value)
                .counter()
                .count();
    }

    private static Clock clock(InstantSource source) {
        return source.withZone(ZoneOffset.UTC);
    }
}
