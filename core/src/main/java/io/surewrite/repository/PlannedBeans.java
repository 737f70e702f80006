package io.surewrite.repository;

import io.surewrite.write.InvalidConfigurationException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.scope.ScopedProxyFactoryBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.data.repository.Repository;
import org.springframework.util.ClassUtils;

/** Plans the annotated methods of beans when they are made, and runs the plans in front of all other advice. */
abstract class PlannedBeans<A extends Annotation> extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements Refusals.LastLook {

    private static final List<String> LIFECYCLE =
            List.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");

    private final Map<MethodClassKey, MethodInterceptor> plans = new ConcurrentHashMap<>();
    private final Map<Class<?>, Map<Method, A>> annotated = new ConcurrentHashMap<>();
    private final Refusals refusals;
    private @Nullable EarlyBeans early;

    /** @param order of several such post-processors, the later puts itself in front of the earlier */
    PlannedBeans(Refusals refusals, int order) {
        this.refusals = refusals;
        this.advisor = new DefaultPointcutAdvisor(new Pointcut(), (MethodInterceptor) this::invoke);
        setBeforeExistingAdvisors(true);
        setOrder(order);
    }

    /**
     * Finds an annotation on a method, on one that it overrides, or on one of an interface that the method implements for
     * the type: a superclass need not know that interface.
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

    abstract @Nullable A annotation(Method method, Class<?> type);

    abstract MethodInterceptor newPlan(A annotation, Method method, Class<?> type);

    abstract InvalidConfigurationException refused(Method method, Class<?> type, String reason);

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        super.setBeanFactory(beanFactory);
        this.early = new EarlyBeans((ConfigurableListableBeanFactory) beanFactory);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (early != null) {
            early.seen();
        }
        planAll(AopUtils.getTargetClass(bean));
        return super.postProcessAfterInitialization(bean, beanName);
    }

    final void planAll(Class<?> type) {
        annotated(type).forEach((method, annotation) -> plan(annotation, method, type));
    }

    public final void look(ConfigurableListableBeanFactory application) {
        for (String name : application.getBeanDefinitionNames()) {
            Object bean = application.getSingleton(name);
            Class<?> type = bean == null ? null : AopUtils.getTargetClass(bean);
            if (type != null && !(bean instanceof Repository) && isAnnotated(type)) {
                planAll(type);
                refuse(name, null, type, null);
            }
        }
    }

    private Map<Method, A> annotated(Class<?> type) {
        return annotated.computeIfAbsent(
                type, added -> MethodIntrospector.selectMethods(added, (Method method) -> annotation(method, added)));
    }

    /** The last look at the start: an annotated method that nothing was put around ends it, whatever the cause. */
    @Override
    public void lookAtAll() {
        EarlyBeans before = early;
        if (before == null) {
            return;
        }
        for (String name : before.all()) {
            Object bean = Objects.requireNonNull(beanFactory).getSingleton(name);
            if (bean == null) {
                look(name, null, definedType(name), before);
            } else {
                look(name, bean, AopUtils.getTargetClass(bean), before);
                if (bean instanceof FactoryBean<?> factory && before.has(name)) {
                    lookAtProduct(name, factory, before);
                }
            }
        }
    }

    private @Nullable Class<?> definedType(String name) {
        boolean concrete = Objects.requireNonNull(beanFactory).containsBeanDefinition(name)
                && !beanFactory.getMergedBeanDefinition(name).isAbstract();
        return concrete ? beanFactory.getType(name, false) : null;
    }

    /** What a scoped proxy stands for is a bean of its own. */
    private void lookAtProduct(String name, FactoryBean<?> factory, EarlyBeans before) {
        Class<?> type = factory.getObjectType();
        if (type != null && isAnnotated(type) && !(factory instanceof ScopedProxyFactoryBean)) {
            look(name, Objects.requireNonNull(beanFactory).getBean(name), type, before);
        }
    }

    private boolean isAnnotated(Class<?> type) {
        return !annotated(type).isEmpty();
    }

    private void look(String name, @Nullable Object bean, @Nullable Class<?> type, EarlyBeans before) {
        if (type == null || !isAnnotated(type)) {
            return;
        }
        boolean missed = bean == null
                ? !Objects.requireNonNull(beanFactory)
                                .getMergedBeanDefinition(name)
                                .isSingleton()
                        && before.have(name)
                : !hasAdvice(bean) && (before.has(name) || isPlain(bean));
        refuse(name, bean, type, missed ? before.why(name).toString() : null);
    }

    private void refuse(String name, @Nullable Object bean, Class<?> type, @Nullable String missed) {
        for (Method method : annotated(type).keySet()) {
            String reason = unreachable(name, bean, method, type);
            if (reason != null) {
                refusals.add(refused(method, type, reason));
            } else if (missed != null && isCalled(method)) {
                refusals.addUnlessRefused(refused(method, type, missed));
            }
        }
    }

    /** What something else has wrapped may have its advice inside. */
    private static boolean isPlain(Object bean) {
        return bean.getClass() == ClassUtils.getUserClass(bean) && !Proxy.isProxyClass(bean.getClass());
    }

    /** Of a bean that is annotated as a whole, what is not public helps the rest. */
    private boolean isCalled(Method method) {
        return isOnMethod(method) || Modifier.isPublic(method.getModifiers());
    }

    private boolean isOnMethod(Method method) {
        return annotation(method, Object.class) != null;
    }

    boolean hasAdvice(Object bean) {
        for (Object at = bean; at instanceof Advised advised; at = AopProxyUtils.getSingletonTarget(at)) {
            if (Arrays.asList(advised.getAdvisors()).contains(advisor)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable String unreachable(String name, @Nullable Object bean, Method method, Class<?> type) {
        boolean itself = isOnMethod(method);
        if (itself && Modifier.isStatic(method.getModifiers())) {
            return "it is static, so that no proxy of Spring intercepts it. Fix: make it an instance method";
        }
        if (itself && Modifier.isPrivate(method.getModifiers())) {
            return "it is private, so that no proxy of Spring intercepts it. Fix: make it public, and call it from another bean";
        }
        if (itself && isLifecycle(name, method, type)) {
            return "Spring calls it past the proxy while it makes or ends the bean. Fix: call it from an ApplicationRunner, or put it into another bean and call it there";
        }
        boolean byClass = bean == null ? !isOfInterface(method, type) : AopUtils.isCglibProxy(bean);
        return byClass
                        && Modifier.isFinal(method.getModifiers())
                        && (itself || (isCalled(method) && method.getDeclaringClass() == type))
                ? "it is final, so that the proxy, which is a subclass, does not intercept it. Fix: take 'final' away (in Kotlin: 'open')"
                : null;
    }

    private static boolean isOfInterface(Method method, Class<?> type) {
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .anyMatch(promise -> ClassUtils.hasMethod(promise, method));
    }

    private boolean isLifecycle(String name, Method method, Class<?> type) {
        if (method.getParameterCount() > 0) {
            return false;
        }
        MergedAnnotations annotations = MergedAnnotations.from(method);
        if (LIFECYCLE.stream().anyMatch(annotations::isPresent)
                || (method.getName().equals("afterPropertiesSet") && InitializingBean.class.isAssignableFrom(type))
                || (method.getName().equals("destroy") && DisposableBean.class.isAssignableFrom(type))) {
            return true;
        }
        boolean isDefined = Objects.requireNonNull(beanFactory).containsBeanDefinition(name)
                || (beanFactory.getParentBeanFactory() instanceof ListableBeanFactory application
                        && application.containsBeanDefinition(name));
        return isDefined
                && beanFactory.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition
                && Stream.of(definition.getInitMethodNames(), definition.getDestroyMethodNames())
                        .filter(Objects::nonNull)
                        .flatMap(Arrays::stream)
                        .anyMatch(method.getName()::equals);
    }

    private MethodInterceptor plan(A annotation, Method method, Class<?> type) {
        return plans.computeIfAbsent(
                new MethodClassKey(method, type), added -> refusals.plan(() -> newPlan(annotation, method, type)));
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
