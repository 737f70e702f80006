package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.surewrite.internal.lwt.SerialConsistencyRow;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseLocksTests extends LeaseLocksContract {

    private final InMemoryLeases table = new InMemoryLeases();

    @AfterEach
    void closeTable() {
        table.close();
    }

    /** Its contract forbids that; a caller must come back all the same. */
    @Test
    void aHandlerThatStandsStillHoldsUpNoCallerForEver() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch standsStill = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        LeaseEvents listener = new UnheardLeases() {
            @Override
            void notAcquired(Waiter waiter, @Nullable RuntimeException trouble, boolean told) {
                if (first.getAndSet(false)) {
                    standsStill.countDown();
                    awaitQuietly(goOn);
                }
            }
        };
        CloseableLeaseLocks locks = table.process(settings("here"), listener);
        try (Lease held = table.process().tryAcquire(LeaseRequest.of("taken")).orElseThrow()) {
            // Its end comes by a timer, on the thread of all timers.
            var unused = locks.tryAcquireAsync(LeaseRequest.of("taken"), Duration.ofMillis(50));
            standsStill.await();
            assertTimeoutPreemptively(
                    Duration.ofSeconds(20),
                    () -> catchThrowable(() -> locks.tryAcquire(LeaseRequest.of("taken"), Duration.ofMillis(50))));
            assertThat(goOn.getCount())
                    .as("the handler of " + held.name() + " still stands")
                    .isOne();
        } finally {
            goOn.countDown();
        }
    }

    /** And not only after the twenty seconds that an attempt may take. */
    @Test
    void sendsACallerThatBlocksAwayAtTheEndOfItsWait() throws Exception {
        CloseableLeaseLocks unhurried = table.process(new WriteTimestamps(Clock.systemUTC()));
        try (Lease held = unhurried.tryAcquire(LeaseRequest.of("taken")).orElseThrow()) {
            assertTimeoutPreemptively(
                    Duration.ofSeconds(10),
                    () -> assertThat(unhurried.tryAcquire(LeaseRequest.of(held.name()), Duration.ofMillis(50)))
                            .isEmpty());
        }
    }

    @Test
    void tellsACallerThatBlocksIfNoAnswerComes() {
        CloseableLeaseLocks locks = table.process();
        table.fallSilent();
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThatThrownBy(() -> locks.acquire(LeaseRequest.of("silent"), Duration.ofMillis(50)))
                        .isInstanceOf(LeaseUnavailableException.class));
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThatThrownBy(() -> locks.tryAcquire(LeaseRequest.of("silent")))
                        .isInstanceOf(LeaseUnavailableException.class));
    }

    @Test
    void checksAllNamesBeforeItAcquiresTheFirst() {
        CloseableLeaseLocks locks = table.process();
        assertThatThrownBy(() -> locks.tryAcquireAll(List.of("a", SerialConsistencyRow.NAME), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(locks.inspect("a")).as("a row").isEmpty();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    CloseableLeaseLocks newProcess(LeaseSettings settings, LeaseEvents events) {
        return table.process(settings, events);
    }

    @Override
    void clearTable(String lease) {
        table.clear(lease);
    }
}
