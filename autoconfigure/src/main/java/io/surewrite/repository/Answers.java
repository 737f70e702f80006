package io.surewrite.repository;

import io.surewrite.retry.WriteRetryTemplate;
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

    @Nullable
    Object retry(String operation, WriteRetryTemplate template, ProxyMethodInvocation invocation) throws Throwable;

    /**
     * Looks at a method.
     *
     * @throws IllegalArgumentException if it answers in a way that cannot be retried
     */
    static Answers of(Method method) {
        Class<?> type = method.getReturnType();
        if (type == CompletableFuture.class || type == CompletionStage.class) {
            return Answers::later;
        }
        if (CompletionStage.class.isAssignableFrom(type) || Future.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException(
                    "A %s cannot be retried. Instead, return a CompletableFuture".formatted(type.getSimpleName()));
        }
        Answers reactive = hasReactor() ? ReactiveAnswers.of(method) : null;
        return reactive != null
                ? reactive
                : (operation, template, invocation) -> template.call(operation, invocation, Answers::attempt);
    }

    /** Once more: an invocation runs through its interceptors once only. */
    @SuppressWarnings("NullAway") // an attempt may answer null, as the method may
    static Object attempt(ProxyMethodInvocation invocation) throws Throwable {
        return invocation.invocableClone().proceed();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is the method's answer
    private static Object later(String operation, WriteRetryTemplate template, ProxyMethodInvocation invocation) {
        return template.executeAsync(operation, () -> stage(invocation));
    }

    private static boolean hasReactor() {
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
