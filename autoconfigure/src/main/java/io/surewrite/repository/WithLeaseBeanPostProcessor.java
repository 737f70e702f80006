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
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

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
        // Before the post-processor of the retry, which then comes outermost.
        setOrder(Ordered.LOWEST_PRECEDENCE - 2);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> type = AopUtils.getTargetClass(bean);
        MethodIntrospector.selectMethods(type, WithLeaseBeanPostProcessor::find)
                .forEach((method, annotation) -> plan(method));
        return super.postProcessAfterInitialization(bean, beanName);
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
                method, added -> LeasePlan.of(added, Objects.requireNonNull(find(added)), placeholders));
    }

    private static @Nullable WithLease find(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
                .get(WithLease.class)
                .synthesize(org.springframework.core.annotation.MergedAnnotation::isPresent)
                .orElse(null);
    }

    private static final class Pointcut extends StaticMethodMatcherPointcut {

        @Override
        public boolean matches(Method method, Class<?> type) {
            return method.getDeclaringClass() != Object.class
                    && find(AopUtils.getMostSpecificMethod(method, type)) != null;
        }
    }
}
