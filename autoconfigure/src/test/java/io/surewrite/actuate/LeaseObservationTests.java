package io.surewrite.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.LeaseUnavailableException;
import io.surewrite.lease.LossReason;
import io.surewrite.lease.tenure.InMemoryLeases;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class LeaseObservationTests {

    private static final RuntimeException SILENT = new LeaseUnavailableException("a", "no answer", null);

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

        assertThat(count(registry, "confirmed", "true")).isEqualTo(1);
        assertThat(count(registry, "confirmed", "false")).isEqualTo(1);
        assertThat(holds(registry)).isEqualTo(Map.of("released", 1L, "gone", 1L));
    }

    @Test
    void observesHowEachWishForALeaseEnds() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
        LeaseLocks locks = table.process(new SurewriteObservations(observations));
        assertThat(locks.tryAcquire("a")).isPresent();
        assertThat(locks.tryAcquire("a")).isEmpty();
        assertThat(registry.get("surewrite.lease.acquire").timers())
                .extracting(timer -> timer.getId().getTag("outcome"), Timer::count)
                .containsExactlyInAnyOrder(tuple("acquired", 1L), tuple("refused", 1L));
    }

    @Test
    void isDownUntilTheTableSaysSomething() {
        CompletableFuture<Void> away = CompletableFuture.failedFuture(new IllegalStateException("away"));
        AtomicReference<CompletableFuture<Void>> answer = new AtomicReference<>(away);
        AtomicInteger looks = new AtomicInteger();
        LeaseHealthIndicator health = new LeaseHealthIndicator(Clock.systemUTC(), () -> {
            looks.incrementAndGet();
            return answer.get().thenApply(there -> List.of(table.process())).join();
        });
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        assertThat(looks).as("nothing is sent while all goes well").hasValue(0);

        health.renewed("a", false);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsKey("undecidedSince");
        health.renewed("a", true);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        health.notAcquired("a", Duration.ZERO, SILENT);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        answer.set(CompletableFuture.completedFuture(null));
        assertThat(health.health().getStatus()).as("it looks by itself").isEqualTo(Status.UP);
        assertThat(health.health().getDetails()).containsEntry("lost", 0L).doesNotContainKey("undecidedSince");
    }

    @Test
    void takesAnotherProcessesLookForAnAnswer() {
        LeaseHealthIndicator health =
                new LeaseHealthIndicator(Clock.systemUTC(), () -> List.of(table.process(), table.process()));
        assertThat(table.process().tryAcquire("surewrite:health")).isPresent();
        health.renewed("a", false);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void takesNoRefusalByThisProcessForAnAnswerOfTheTable() {
        LeaseLocks here = table.process();
        LeaseHealthIndicator health = new LeaseHealthIndicator(Clock.systemUTC(), () -> List.of(here));
        Lease held = here.tryAcquire("a").orElseThrow();
        table.fallSilent();
        health.notAcquired("b", Duration.ZERO, SILENT);
        health.notAcquired("a", Duration.ZERO, null);
        assertThat(health.health().getStatus()).as("%s is held", held).isEqualTo(Status.DOWN);
        health.notAcquired("c", Duration.ZERO, null);
        assertThat(health.health().getStatus()).as("another holds it").isEqualTo(Status.UP);
    }

    /** Else each request for the status waits for the cluster, and they pile up. */
    @Test
    void doesNotWaitForALookThatTakesLong() {
        AtomicInteger looks = new AtomicInteger();
        CompletableFuture<Object> cluster = new CompletableFuture<>();
        RecentFailure<String> health = new RecentFailure<>("", Clock.systemUTC(), () -> List.of("made"), made -> {
            looks.incrementAndGet();
            return cluster;
        }) {};
        health.note(false);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(looks).as("one at a time").hasValue(1);
        cluster.complete("answered");
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void remembersLosses() {
        LeaseHealthIndicator health = new LeaseHealthIndicator(Clock.systemUTC(), List::of);
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

    private static double count(SimpleMeterRegistry registry, String tag, String value) {
        return registry.get("surewrite.lease.renew").tag(tag, value).counter().count();
    }

    private static Map<String, Long> holds(SimpleMeterRegistry registry) {
        return registry.get("surewrite.lease.hold").timers().stream()
                .collect(Collectors.toMap(timer -> timer.getId().getTag("end"), Timer::count));
    }
}
