package io.surewrite.repository;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;

/** Plans every method of every repository, and adds what was planned in front of all other advice. */
public final class RepositoryAdviceRegistrar implements BeanPostProcessor {

    private final Supplier<List<RepositoryMethodAdvice>> advices;

    /**
     * Creates the registrar.
     *
     * @param advices what to put around repository methods, outermost first; asked when a repository is made
     */
    public RepositoryAdviceRegistrar(Supplier<List<RepositoryMethodAdvice>> advices) {
        this.advices = advices;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof RepositoryFactoryBeanSupport<?, ?, ?> factoryBean) {
            factoryBean.addRepositoryFactoryCustomizer(
                    factory -> factory.addRepositoryProxyPostProcessor(this::advise));
        }
        return bean;
    }

    private void advise(ProxyFactory proxy, RepositoryInformation repository) {
        int position = 0;
        for (RepositoryMethodAdvice advice : advices.get()) {
            Map<Method, MethodInterceptor> plans = plan(advice, repository);
            if (!plans.isEmpty()) {
                proxy.addAdvice(position++, new Planned(plans));
            }
        }
    }

    private static Map<Method, MethodInterceptor> plan(
            RepositoryMethodAdvice advice, RepositoryInformation repository) {
        Map<Method, MethodInterceptor> plans = new HashMap<>();
        for (Method method : repository.getRepositoryInterface().getMethods()) {
            MethodInterceptor plan = Modifier.isStatic(method.getModifiers()) ? null : advice.plan(repository, method);
            if (plan != null) {
                plans.put(method, plan);
            }
        }
        return plans;
    }

    private record Planned(Map<Method, MethodInterceptor> plans) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            MethodInterceptor plan = plans.get(invocation.getMethod());
            return plan == null ? invocation.proceed() : plan.invoke(invocation);
        }
    }
}
