package io.surewrite.repository;

import io.surewrite.internal.session.SureLevel;
import io.surewrite.write.WriteScope;
import java.lang.reflect.Method;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;

/** Has a repository that makes sure writes read at their level, in all methods that are no such writes themselves. */
final class SureReadAdvice {

    private SureReadAdvice() {}

    static Function<Method, @Nullable MethodInterceptor> plan(PlannedRepository repository) {
        return repository.isGuarded() || IdempotentPlans.isAnnotated(repository.type())
                ? SureReadAdvice::interceptor
                : method -> null;
    }

    private static MethodInterceptor interceptor(Method method) {
        ReactiveAdapter adapter = RetriedMethod.reactive(Signature.returnType(method));
        return adapter == null
                ? SureReadAdvice::onThisThread
                : invocation -> RetriedMethod.Reactive.inContext(adapter, invocation.proceed(), SureLevel.enterReads());
    }

    private static @Nullable Object onThisThread(MethodInvocation invocation) throws Throwable {
        WriteScope.Opened opened = SureLevel.openReads();
        try {
            return invocation.proceed();
        } finally {
            opened.close();
        }
    }
}
