package io.surewrite.alledeals.item;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers who want the same work done share one run of it, which begins after all of them asked: while one run is
 * under way, everybody who comes waits for the next.
 *
 * @param <K> tells one kind of work from another
 * @param <V> what comes of it
 */
final class SharedRuns<K, V> {

    private final Map<K, Run<V>> last = new ConcurrentHashMap<>();

    /**
     * Returns what a run brought that began after this call.
     *
     * @param key which work
     * @param work the work, run by one of its callers
     * @return its result, the same for all who share the run
     * @throws RuntimeException what the work throws, for all who share the run
     */
    V run(K key, Supplier<V> work) {
        Run<V> mine = new Run<>();
        Run<V> shared = last.compute(key, (same, before) -> {
            if (before != null && !before.begun) {
                return before;
            }
            mine.before = before;
            return mine;
        });
        return shared == mine ? lead(key, mine, work) : shared.await();
    }

    private V lead(K key, Run<V> mine, Supplier<V> work) {
        if (mine.before != null) {
            mine.before.awaitEnd();
            mine.before = null;
        }
        last.computeIfPresent(key, (same, current) -> {
            mine.begun = true;
            return current;
        });
        try {
            V result = work.get();
            mine.ended.complete(result);
            return result;
        } catch (RuntimeException | Error failure) {
            mine.ended.completeExceptionally(failure);
            throw failure;
        } finally {
            last.remove(key, mine);
        }
    }

    /** One run; its fields change under the lock of the map's entry. */
    private static final class Run<V> {

        private final CompletableFuture<V> ended = new CompletableFuture<>();
        private @Nullable Run<V> before;
        private boolean begun;

        void awaitEnd() {
            ended.handle((done, failure) -> true).join();
        }

        V await() {
            try {
                return ended.join();
            } catch (CompletionException failure) {
                if (failure.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw failure;
            }
        }
    }
}
