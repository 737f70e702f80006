package io.surewrite.alledeals.item;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers who want the same work done share one run of it, which begins after all of them asked: while one run is
 * under way, everybody who comes waits for the next.
 *
 * @param <K> tells one kind of work from another
 */
final class SharedRuns<K> {

    private final Map<K, Run> last = new ConcurrentHashMap<>();

    /**
     * Returns when a run that began after this call has ended.
     *
     * @param key which work
     * @param work the work, run by one of its callers
     * @throws RuntimeException what the work throws, for all who share the run
     */
    void run(K key, Runnable work) {
        Run mine = new Run();
        Run shared = last.compute(key, (same, before) -> {
            if (before != null && !before.begun) {
                return before;
            }
            mine.before = before;
            return mine;
        });
        if (shared == mine) {
            lead(key, mine, work);
        } else {
            shared.await();
        }
    }

    private void lead(K key, Run mine, Runnable work) {
        if (mine.before != null) {
            mine.before.awaitEnd();
            mine.before = null;
        }
        last.computeIfPresent(key, (same, current) -> {
            mine.begun = true;
            return current;
        });
        try {
            work.run();
            mine.ended.complete(null);
        } catch (RuntimeException | Error failure) {
            mine.ended.completeExceptionally(failure);
            throw failure;
        } finally {
            last.remove(key, mine);
        }
    }

    /** One run; its fields change under the lock of the map's entry. */
    private static final class Run {

        private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
        private @Nullable Run before;
        private boolean begun;

        void awaitEnd() {
            ended.handle((done, failure) -> null).join();
        }

        void await() {
            try {
                ended.join();
            } catch (CompletionException failure) {
                if (failure.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw failure;
            }
        }
    }
}
