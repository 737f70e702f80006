package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.surewrite.lease.InMemoryLeases;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
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
    void observesWishesAndHolds() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
        LeaseLocks locks = table.process(observations);

        Lease first = locks.tryAcquire("a").orElseThrow();
        assertThat(locks.tryAcquire("a")).isEmpty();
        assertThat(first.renew()).isTrue();
        first.release();
        Lease second = locks.tryAcquire("a").orElseThrow();
        table.clear("a");
        assertThat(second.renew()).isFalse();
        second.release();

        assertThat(outcomes(registry, "surewrite.lease.acquire")).isEqualTo(Map.of("acquired", 2L, "refused", 1L));
        assertThat(outcomes(registry, "surewrite.lease.hold")).isEqualTo(Map.of("released", 1L, "gone", 1L));
    }

    /** A span of its own, in the trace of whoever asked for the lease. */
    @Test
    void aHoldFollowsTheWishForIt() {
        TestObservationRegistry observations = TestObservationRegistry.create();
        Lease lease = table.process(observations).tryAcquire("a").orElseThrow();
        lease.release();
        TestObservationRegistryAssert.assertThat(observations)
                .hasObservationWithNameEqualTo("surewrite.lease.hold")
                .that()
                .hasBeenStopped()
                .hasHighCardinalityKeyValue("name", "a")
                .hasHighCardinalityKeyValue("token", Long.toString(lease.token()))
                .hasLowCardinalityKeyValue("outcome", "released")
                .hasParentObservationContextMatching(parent -> parent.getName().equals("surewrite.lease.acquire"));
    }

    @Test
    void isDownUntilTheTableSaysSomething() {
        LeaseLocks here = table.process();
        AtomicInteger asked = new AtomicInteger();
        RecentFailure.OfLeases health = new RecentFailure.OfLeases(() -> {
            asked.incrementAndGet();
            return List.of(here);
        });
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        assertThat(asked).as("nothing is sent while all goes well").hasValue(1);

        Lease held = here.tryAcquire("a").orElseThrow();
        table.fallSilent();
        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> here.tryAcquire("b"));
        assertThat(here.tryAcquire("a"))
                .as("refused by this process, which has it")
                .isEmpty();
        assertThat(here.unclearSince()).as("%s is held", held).isNotNull();
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsKey("undecidedSince");

        table.speakAgain();
        await().untilAsserted(() ->
                assertThat(health.health().getStatus()).as("it looks by itself").isEqualTo(Status.UP));
        assertThat(health.health().getDetails()).doesNotContainKey("undecidedSince");
        assertThat(here.unclearSince()).isNull();
    }

    /** Else each request for the status waits for the cluster, and they pile up. */
    @Test
    void doesNotWaitForALookThatTakesLong() {
        AtomicInteger looks = new AtomicInteger();
        CompletableFuture<Object> cluster = new CompletableFuture<>();
        RecentFailure<String> health = new RecentFailure<>("", () -> List.of("made"), made -> Instant.EPOCH, made -> {
            looks.incrementAndGet();
            return cluster;
        }) {};
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(looks).as("one at a time").hasValue(1);
        cluster.complete("answered");
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void showsLeasesAndNames() {
        LeaseLocks locks = table.process();
        LeasesEndpoint endpoint = new LeasesEndpoint(locks::held, locks::inspect);
        Lease lease = locks.tryAcquire("a").orElseThrow();

        assertThat(endpoint.held()).singleElement().satisfies(held -> {
            assertThat(held.name()).isEqualTo("a");
            assertThat(held.token()).isEqualTo(lease.token());
            assertThat(held.remaining()).isPositive();
        });
        assertThat(endpoint.inspect("a").holder()).isEqualTo("somebody");
        assertThat(endpoint.inspect("never")).isNull();
    }

    private static Map<String, Long> outcomes(SimpleMeterRegistry registry, String name) {
        return registry.get(name).timers().stream()
                .collect(Collectors.toMap(timer -> timer.getId().getTag("outcome"), Timer::count));
    }
}
