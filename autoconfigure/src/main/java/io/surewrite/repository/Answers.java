package io.surewrite.repository;

import io.surewrite.retry.engine.ScopedRetryTemplate;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.util.ClassUtils;

/** How a method answers, and so how it is retried: at once, by a future, or by a publisher. */
@FunctionalInterface
interface Answers {

    /**
     * Runs the method until it succeeds.
     *
     * @param kept what it answers when it is kept for later, or null if it never is
     */
    @Nullable
    Object retry(
            String operation,
            ScopedRetryTemplate template,
            ProxyMethodInvocation invocation,
            @Nullable KeptAnswers kept)
            throws Throwable;

    /**
     * Looks at a method.
     *
     * @param streams what it does with an argument that is a publisher
     * @throws IllegalArgumentException if it answers in a way that cannot be retried
     */
    static Answers of(Method method, Streams streams) {
        Class<?> type = method.getReturnType();
        if (type == CompletableFuture.class || type == CompletionStage.class) {
            streams.requireNone(method);
            return Answers::later;
        }
        if (CompletionStage.class.isAssignableFrom(type) || Future.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException(
                    "A %s cannot be retried. Instead, return a CompletableFuture".formatted(type.getSimpleName()));
        }
        Answers reactive = hasReactor() ? ReactiveAnswers.of(method, streams) : null;
        if (reactive != null) {
            return reactive;
        }
        streams.requireNone(method);
        return Answers::atOnce;
    }

    private static @Nullable Object atOnce(
            String operation,
            ScopedRetryTemplate template,
            ProxyMethodInvocation invocation,
            @Nullable KeptAnswers kept)
            throws Throwable {
        if (kept == null) {
            return template.call(operation, invocation, Answers::attempt);
        }
        Object answer =
                template.call(operation, invocation, Answers::attempt, kept.fallback(invocation.getArguments()));
        return answer == null ? kept.whenWritten() : answer;
    }

    /** Once more: an invocation runs through its interceptors once only. */
    @SuppressWarnings("NullAway") // an attempt may answer null, as the method may
    static Object attempt(ProxyMethodInvocation invocation) throws Throwable {
        return invocation.invocableClone().proceed();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is the method's answer
    private static Object later(
            String operation,
            ScopedRetryTemplate template,
            ProxyMethodInvocation invocation,
            @Nullable KeptAnswers kept) {
        if (kept == null) {
            return template.executeAsync(operation, () -> stage(invocation));
        }
        // The caller gets the future of the call itself: cancelling another one that depends on it would not reach it.
        return template.executeAsync(
                operation,
                () -> stage(invocation).thenApply(answer -> answer == null ? kept.whenWritten() : answer),
                kept.fallback(invocation.getArguments()));
    }

    static boolean hasReactor() {
        return ClassUtils.isPresent("reactor.core.publisher.Mono", Answers.class.getClassLoader());
    }

    private static CompletionStage<@Nullable Object> stage(ProxyMethodInvocation invocation) {
        try {
            @SuppressWarnings("unchecked") // by the return type of the method
            CompletionStage<@Nullable Object> stage = (CompletionStage<@Nullable Object>) attempt(invocation);
            return stage == null ? CompletableFuture.completedFuture(null) : stage;
        } catch (Throwable failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }
}
