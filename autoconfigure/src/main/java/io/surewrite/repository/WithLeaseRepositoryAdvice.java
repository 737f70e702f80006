package io.surewrite.repository;

import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.session.SureSession;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;
import org.springframework.data.repository.core.RepositoryInformation;

/** Runs the {@link WithLease} methods of repositories under their leases. */
public final class WithLeaseRepositoryAdvice implements RepositoryMethodAdvice, Ordered, SmartInitializingSingleton {

    private final Supplier<LeaseLocks> locks;
    private final UnaryOperator<@Nullable String> placeholders;
    private volatile boolean used;

    /**
     * Creates the advice.
     *
     * @param locks where leases come from, asked once there is a method that needs them
     * @param placeholders resolves <code>${...}</code> in the annotation
     */
    public WithLeaseRepositoryAdvice(Supplier<LeaseLocks> locks, UnaryOperator<@Nullable String> placeholders) {
        this.locks = locks;
        this.placeholders = placeholders;
    }

    /** The outermost of all: the retry, too, begins under the lease. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable MethodInterceptor plan(RepositoryInformation repository, Method method, SureSession own) {
        WithLease annotation = LeasePlan.annotation(method);
        if (annotation == null) {
            return null;
        }
        used = true;
        return new UnderLease(LeasePlan.of(method, annotation, placeholders), locks);
    }

    /** What is wrong with the leases ends the start, if there is a method that needs them. */
    @Override
    public void afterSingletonsInstantiated() {
        if (used) {
            var unused = locks.get();
        }
    }

    /** Whether a bean is a repository that this advice was asked about. */
    static boolean isIn(Object bean) {
        if (bean instanceof Advised repository) {
            for (Advisor advisor : repository.getAdvisors()) {
                if (RepositoryAdviceRegistrar.isPlannedBy(WithLeaseRepositoryAdvice.UnderLease.class, advisor)) {
                    return true;
                }
            }
        }
        return false;
    }

    private record UnderLease(LeasePlan plan, Supplier<LeaseLocks> locks) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            return plan.run(locks.get(), Objects.requireNonNull(invocation.getThis()), invocation);
        }
    }
}
