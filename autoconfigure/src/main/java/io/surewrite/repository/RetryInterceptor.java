package io.surewrite.repository;

import io.surewrite.retry.engine.ScopedRetryTemplate;
import java.util.function.BiFunction;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** Runs a method by a retry template; every attempt is a fresh run of whatever stands behind this interceptor. */
final class RetryInterceptor implements MethodInterceptor {

    private final String operation;
    private final ScopedRetryTemplate template;
    private final Answers answers;
    private final Class<?>[] types;
    private final BiFunction<Class<?>, @Nullable Object, @Nullable Object> argument;
    private final @Nullable KeptAnswers kept;

    /**
     * Creates the interceptor.
     *
     * @param types the types that the method takes
     * @param argument prepares every argument, by its type, once, before the first attempt
     * @param kept what the method answers when it is kept for later, or null if it never is
     */
    RetryInterceptor(
            String operation,
            ScopedRetryTemplate template,
            Answers answers,
            Class<?>[] types,
            BiFunction<Class<?>, @Nullable Object, @Nullable Object> argument,
            @Nullable KeptAnswers kept) {
        this.operation = operation;
        this.template = template;
        this.answers = answers;
        this.types = types;
        this.argument = argument;
        this.kept = kept;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        ProxyMethodInvocation proxied = (ProxyMethodInvocation) invocation;
        prepare(proxied);
        return answers.retry(operation, template, proxied, kept);
    }

    private void prepare(ProxyMethodInvocation invocation) {
        @Nullable Object[] arguments = invocation.getArguments();
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = argument.apply(types[i], arguments[i]);
        }
        invocation.setArguments(arguments);
    }
}
