package io.surewrite.unique;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Does the same for many at once. */
final class All {

    private All() {}

    static CompletionStage<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }

    /** {@return becomes all answers, in the order of the items} */
    static <I, R> CompletionStage<List<R>> of(List<I> items, Function<I, CompletionStage<R>> step) {
        List<CompletableFuture<R>> answers = items.stream()
                .map(item -> step.apply(item).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }
}
