package io.surewrite.repository;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Plans the annotated methods of beans when they are made, and runs the plans in front of all other advice.
 *
 * @param <A> the annotation
 */
abstract class PlannedBeans<A extends Annotation> extends AbstractBeanFactoryAwareAdvisingPostProcessor {

    private final Map<MethodClassKey, MethodInterceptor> plans = new ConcurrentHashMap<>();

    /**
     * @param order of several such post-processors, the later puts itself in front of the earlier
     */
    PlannedBeans(int order) {
        this.advisor = new DefaultPointcutAdvisor(new Pointcut(), (MethodInterceptor) this::invoke);
        setBeforeExistingAdvisors(true);
        setOrder(order);
    }

    /**
     * Finds an annotation on a method, on one that it overrides, or on one of an interface that the method implements for
     * the type: a superclass need not know that interface.
     *
     * @param type whose method it is
     */
    static <A extends Annotation> @Nullable A find(Class<A> annotation, Method method, Class<?> type) {
        return Stream.concat(
                        Stream.of(method),
                        ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                                .filter(promise -> !promise.isAssignableFrom(method.getDeclaringClass()))
                                .flatMap(promise -> Arrays.stream(promise.getMethods()))
                                .filter(promised -> promised.getName().equals(method.getName())
                                        && AopUtils.getMostSpecificMethod(promised, type)
                                                .equals(method)))
                .map(each -> AnnotatedElementUtils.findMergedAnnotation(each, annotation))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** What a method is annotated with, as a method of the type; null if it is none to plan. */
    abstract @Nullable A annotation(Method method, Class<?> type);

    /** What to run for an annotated method; what cannot work is refused. */
    abstract MethodInterceptor newPlan(A annotation, Method method, Class<?> type);

    final void planAll(Class<?> type) {
        MethodIntrospector.selectMethods(type, (Method method) -> annotation(method, type))
                .forEach((method, annotation) -> plan(annotation, method, type));
    }

    private MethodInterceptor plan(A annotation, Method method, Class<?> type) {
        return plans.computeIfAbsent(new MethodClassKey(method, type), added -> newPlan(annotation, method, type));
    }

    final boolean isUsed() {
        return !plans.isEmpty();
    }

    private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), type);
        MethodInterceptor plan = plans.get(new MethodClassKey(method, type));
        if (plan == null) {
            plan = plan(Objects.requireNonNull(annotation(method, type)), method, type);
        }
        return plan.invoke(invocation);
    }

    private final class Pointcut extends StaticMethodMatcherPointcut {

        @Override
        public boolean matches(Method method, Class<?> type) {
            return method.getDeclaringClass() != Object.class
                    && annotation(AopUtils.getMostSpecificMethod(method, type), type) != null;
        }
    }
}
