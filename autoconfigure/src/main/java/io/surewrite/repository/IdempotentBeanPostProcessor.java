package io.surewrite.repository;

import io.surewrite.retry.Idempotent;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.data.repository.Repository;
import org.springframework.util.ClassUtils;

/**
 * Retries the {@link Idempotent} methods of beans that are no repositories. The retry is the outermost advice but for locks,
 * under which it begins, and for {@code @Async}, which moves the whole call to another thread.
 */
final class IdempotentBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

    private final IdempotentPlans plans;
    private final Map<Method, RetryInterceptor> interceptors = new ConcurrentHashMap<>();

    IdempotentBeanPostProcessor(IdempotentPlans plans) {
        this.plans = plans;
        this.advisor = new DefaultPointcutAdvisor(new Pointcut(), (MethodInterceptor) this::invoke);
        setBeforeExistingAdvisors(true);
        // Before those of @WithLease and of @Async, which put themselves in front.
        setOrder(Ordered.LOWEST_PRECEDENCE - 2);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (isEligible(bean, beanName)) {
            Class<?> type = AopUtils.getTargetClass(bean);
            MethodIntrospector.selectMethods(
                            type, (Method method) -> IdempotentAnnotations.find(method, type) == null ? null : method)
                    .keySet()
                    .forEach(method -> interceptor(method, type));
        }
        return super.postProcessAfterInitialization(bean, beanName);
    }

    @Override
    protected boolean isEligible(Object bean, String beanName) {
        return !(bean instanceof Repository) && super.isEligible(bean, beanName);
    }

    private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        return interceptor(AopUtils.getMostSpecificMethod(invocation.getMethod(), type), type)
                .invoke(invocation);
    }

    private RetryInterceptor interceptor(Method method, Class<?> type) {
        return interceptors.computeIfAbsent(method, added -> plan(added, type));
    }

    private RetryInterceptor plan(Method method, Class<?> type) {
        Idempotent annotation = IdempotentAnnotations.find(method, type);
        if (annotation == null) {
            throw new IllegalStateException("Not @Idempotent: " + method);
        }
        String operation = ClassUtils.getUserClass(type).getSimpleName() + "." + method.getName();
        return plans.interceptor(
                annotation,
                operation,
                method,
                plans.template(annotation, operation),
                Streams.OF_ITS_OWN,
                (declared, argument) -> argument);
    }

    private static final class Pointcut extends StaticMethodMatcherPointcut {

        @Override
        public boolean matches(Method method, Class<?> type) {
            return method.getDeclaringClass() != Object.class && IdempotentAnnotations.find(method, type) != null;
        }
    }
}
