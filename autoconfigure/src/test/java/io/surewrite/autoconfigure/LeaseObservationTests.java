package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.surewrite.lease.InMemoryLeases;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
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
    void isDownUntilTheTableSaysSomething() {
        LeaseLocks here = table.process();
        AtomicInteger asked = new AtomicInteger();
        RecentFailure<LeaseLocks> health = RecentFailure.ofLeases(() -> {
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
        });
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(looks).as("one at a time").hasValue(1);
        cluster.complete("answered");
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(looks).as("the next one").hasValue(2);
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
}
