package io.surewrite.alledeals.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedRunsTests {

    private final SharedRuns<String, Integer> runs = new SharedRuns<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void runsForEachCallerThatComesAlone() {
        AtomicInteger count = new AtomicInteger();

        runs.run("a", count::incrementAndGet);
        runs.run("a", count::incrementAndGet);

        assertThat(count).hasValue(2);
    }

    @Test
    void sharesOneRunAmongAllWhoComeWhileAnotherIsUnderWay() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger count = new AtomicInteger();
        CompletableFuture<Void> first = CompletableFuture.runAsync(
                () -> runs.run("a", () -> {
                    begun.countDown();
                    await(goOn);
                    return count.incrementAndGet();
                }),
                threads);
        begun.await();

        List<CompletableFuture<Void>> others = Stream.generate(
                        () -> CompletableFuture.runAsync(() -> runs.run("a", count::incrementAndGet), threads))
                .limit(8)
                .toList();
        Awaitility.await().pollDelay(Duration.ofMillis(100)).until(() -> true);
        assertThat(count).hasValue(0);
        goOn.countDown();

        CompletableFuture.allOf(others.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
        first.get(10, TimeUnit.SECONDS);
        assertThat(count).hasValueBetween(2, 3); // one of the eight may have come when the others had begun
    }

    @Test
    void doesNotLetOneKeyWaitForAnother() {
        assertThat(runs.run("a", () -> runs.run("b", () -> 5))).isEqualTo(5);
    }

    @Test
    void failsForItsCallerAndRunsAgainForTheNext() {
        assertThatThrownBy(() -> runs.run("a", () -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        AtomicInteger count = new AtomicInteger();
        runs.run("a", count::incrementAndGet);
        assertThat(count).hasValue(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
