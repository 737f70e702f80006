package io.surewrite.repository;

import io.surewrite.internal.session.SureLevel;
import java.lang.reflect.Method;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

/** Has a repository that makes sure writes read at their level, in all methods that are no such writes themselves. */
final class SureReadAdvice {

    private SureReadAdvice() {}

    static Function<Method, @Nullable MethodInterceptor> plan(PlannedRepository repository) {
        return repository.isGuarded() || IdempotentPlans.isAnnotated(repository.type())
                ? method -> RetriedMethod.saying(method, SureLevel.READS, true)
                : method -> null;
    }
}
