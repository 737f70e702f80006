package io.surewrite.repository;

import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.data.repository.Repository;

/** Runs the {@link WithLease} methods of beans under their leases; what cannot work is refused when the bean is made. */
public final class WithLeaseBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {

    private final Supplier<LeaseLocks> locks;
    private final UnaryOperator<@Nullable String> placeholders;
    private final Map<Method, LeasePlan> plans = new ConcurrentHashMap<>();

    /**
     * Creates the post-processor.
     *
     * @param locks where leases come from, asked once there is a bean that needs them
     * @param placeholders resolves <code>${...}</code> in the annotation
     */
    public WithLeaseBeanPostProcessor(Supplier<LeaseLocks> locks, UnaryOperator<@Nullable String> placeholders) {
        this.locks = locks;
        this.placeholders = placeholders;
        this.advisor = new DefaultPointcutAdvisor(new Pointcut(), (MethodInterceptor) this::invoke);
        setBeforeExistingAdvisors(true);
        // After the post-processor of the retry, which then begins under the lease, and before the one of @Async.
        setOrder(Ordered.LOWEST_PRECEDENCE - 1);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> type = AopUtils.getTargetClass(bean);
        if (bean instanceof Repository) {
            // Its annotations are on its interface, which the class of its target does not show.
            for (Class<?> repository : AopProxyUtils.proxiedUserInterfaces(bean)) {
                plan(repository);
            }
        }
        plan(type);
        return super.postProcessAfterInitialization(bean, beanName);
    }

    /** Those of Spring Data Cassandra have their leases in front of their retries already, from their start on. */
    @Override
    protected boolean isEligible(Object bean, String beanName) {
        return !WithLeaseRepositoryAdvice.isIn(bean) && super.isEligible(bean, beanName);
    }

    private void plan(Class<?> type) {
        MethodIntrospector.selectMethods(type, LeasePlan::annotation).forEach((method, annotation) -> plan(method));
    }

    /** What is wrong with the leases ends the start, if there is a method that needs them. */
    @Override
    public void afterSingletonsInstantiated() {
        if (!plans.isEmpty()) {
            var unused = locks.get();
        }
    }

    private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis());
        Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), AopUtils.getTargetClass(target));
        return plan(method).run(locks.get(), target, invocation);
    }

    private LeasePlan plan(Method method) {
        return plans.computeIfAbsent(
                method,
                added -> LeasePlan.of(added, Objects.requireNonNull(LeasePlan.annotation(added)), placeholders));
    }

    private static final class Pointcut extends StaticMethodMatcherPointcut {

        @Override
        public boolean matches(Method method, Class<?> type) {
            return method.getDeclaringClass() != Object.class
                    && LeasePlan.annotation(AopUtils.getMostSpecificMethod(method, type)) != null;
        }
    }
}
