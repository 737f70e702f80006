package io.surewrite.unique;

import io.surewrite.internal.session.DriverFailures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the asynchronous steps share: endings, many at once, and failures without what futures wrap them in. */
final class Stages {

    private Stages() {}

    public static CompletionStage<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    public static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }

    public static <T extends @Nullable Object> CompletionStage<T> failed(Throwable failure) {
        return CompletableFuture.failedFuture(failure);
    }

    public static <I, R> CompletionStage<List<R>> all(List<I> items, Function<I, CompletionStage<R>> step) {
        List<CompletableFuture<R>> results = items.stream()
                .map(item -> step.apply(item).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(results.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> results.stream().map(CompletableFuture::join).toList());
    }

    /** Goes on with what a stage becomes: its value, or its own failure. */
    static <T extends @Nullable Object, R extends @Nullable Object> CompletionStage<R> then(
            CompletionStage<T> stage,
            Function<T, CompletionStage<R>> next,
            Function<Throwable, CompletionStage<R>> failed) {
        return stage.handle((value, thrown) ->
                        thrown == null ? next.apply(value) : failed.apply(DriverFailures.unwrapped(thrown)))
                .thenCompose(following -> following);
    }
}
