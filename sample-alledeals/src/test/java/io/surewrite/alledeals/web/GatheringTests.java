package io.surewrite.alledeals.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatheringTests {

    private final List<List<Integer>> groups = new CopyOnWriteArrayList<>();
    private final Semaphore permits = new Semaphore(0);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Gathering<String, Integer> gathering = new Gathering<>(1, 4, (key, group) -> {
        groups.add(group);
        permits.acquireUninterruptibly();
        if (group.contains(13)) {
            throw new IllegalStateException("no");
        }
    });

    @AfterEach
    void stop() {
        permits.release(1000);
        threads.shutdownNow();
    }

    @Test
    void takesThoseTogetherWhoComeWhileAGroupIsUnderWay() throws Exception {
        CompletableFuture<Void> first = coming(0);
        List<CompletableFuture<Void>> others = waiting(1, 6);

        assertThat(groups).containsExactly(List.of(0));
        assertThat(others).noneMatch(CompletableFuture::isDone);
        permits.release(3);

        first.get(10, TimeUnit.SECONDS);
        for (CompletableFuture<Void> other : others) {
            other.get(10, TimeUnit.SECONDS);
        }
        assertThat(groups).extracting(List::size).containsExactly(1, 4, 2);
        assertThat(groups.stream().flatMap(List::stream)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6);
    }

    @Test
    void failsForAllOfAGroupAndForNobodyElse() {
        CompletableFuture<Void> first = coming(0);
        List<CompletableFuture<Void>> unlucky = waiting(10, 13);
        CompletableFuture<Void> last = waiting(20, 20).get(0);
        permits.release(3);

        assertThat(first).succeedsWithin(Duration.ofSeconds(10));
        for (CompletableFuture<Void> one : unlucky) {
            assertThat(one)
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withStackTraceContaining("no");
        }
        assertThat(last).succeedsWithin(Duration.ofSeconds(10));
    }

    private CompletableFuture<Void> coming(int number) {
        CompletableFuture<Void> coming = CompletableFuture.runAsync(() -> gathering.run("a", number), threads);
        Awaitility.await().until(() -> !groups.isEmpty());
        return coming;
    }

    /** Starts them, in this order, and sees them wait. */
    private List<CompletableFuture<Void>> waiting(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(number -> {
                    CompletableFuture<Void> one = CompletableFuture.runAsync(() -> gathering.run("a", number), threads);
                    Awaitility.await().pollDelay(Duration.ofMillis(50)).until(() -> !one.isDone());
                    return one;
                })
                .toList();
    }
}
