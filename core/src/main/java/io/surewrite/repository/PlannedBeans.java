package io.surewrite.repository;

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

/** Plans the annotated methods of beans when they are made, and runs the plans in front of all other advice. */
abstract class PlannedBeans extends AbstractBeanFactoryAwareAdvisingPostProcessor {

    private final Map<Method, MethodInterceptor> plans = new ConcurrentHashMap<>();

    /**
     * @param order of several such post-processors, the later puts itself in front of the earlier
     */
    PlannedBeans(int order) {
        this.advisor = new DefaultPointcutAdvisor(new Pointcut(), (MethodInterceptor) this::invoke);
        setBeforeExistingAdvisors(true);
        setOrder(order);
    }

    abstract boolean isAnnotated(Method method, Class<?> type);

    /** What to run for an annotated method; what cannot work is refused. */
    abstract MethodInterceptor newPlan(Method method, Class<?> type);

    final void planAll(Class<?> type) {
        MethodIntrospector.selectMethods(type, (Method method) -> isAnnotated(method, type) ? method : null)
                .keySet()
                .forEach(method -> plan(method, type));
    }

    private MethodInterceptor plan(Method method, Class<?> type) {
        return plans.computeIfAbsent(method, added -> newPlan(added, type));
    }

    final boolean isUsed() {
        return !plans.isEmpty();
    }

    private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        return plan(AopUtils.getMostSpecificMethod(invocation.getMethod(), type), type)
                .invoke(invocation);
    }

    private final class Pointcut extends StaticMethodMatcherPointcut {

        @Override
        public boolean matches(Method method, Class<?> type) {
            return method.getDeclaringClass() != Object.class
                    && isAnnotated(AopUtils.getMostSpecificMethod(method, type), type);
        }
    }
}
