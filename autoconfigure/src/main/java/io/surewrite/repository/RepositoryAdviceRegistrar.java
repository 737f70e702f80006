package io.surewrite.repository;

import io.surewrite.retry.IdempotentMethodException;
import io.surewrite.session.SureSession;
import io.surewrite.session.SureSessions;
import io.surewrite.unique.InvalidConstraintException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.core.RepositoryMetadata;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;

/** Plans every method of every repository, and adds what was planned in front of all other advice. */
public final class RepositoryAdviceRegistrar implements BeanPostProcessor {

    private final Supplier<@Nullable SureSessions> sessions;
    private final Supplier<List<RepositoryMethodAdvice>> advices;

    /**
     * Creates the registrar.
     *
     * @param sessions has what belongs to each repository; asked when a repository is made, null if there is no session
     * @param advices what to put around repository methods, outermost first; asked when a repository is made
     */
    public RepositoryAdviceRegistrar(
            Supplier<@Nullable SureSessions> sessions, Supplier<List<RepositoryMethodAdvice>> advices) {
        this.sessions = sessions;
        this.advices = advices;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        boolean told = RepositoryTemplates.tell(bean, sessions, new RepositoryTemplates.Made() {

            @Override
            public void withoutSession(RepositoryMetadata repository) {
                requireNothing(repository.getRepositoryInterface(), "is in an application without a CqlSession bean");
            }

            @Override
            public void proxied(ProxyFactory proxy, RepositoryInformation repository, SureSession own) {
                advise(proxy, repository, own);
            }
        });
        if (!told && bean instanceof RepositoryFactoryBeanSupport<?, ?, ?> another) {
            requireNothing(another.getObjectType(), "is no repository of Spring Data Cassandra");
        }
        return bean;
    }

    /** What is asked there would be done by nobody. */
    private static void requireNothing(Class<?> repository, String because) {
        for (Method method : repository.getMethods()) {
            if (IdempotentAnnotations.find(method, repository) != null) {
                throw new IdempotentMethodException(
                        repository.getSimpleName() + "." + method.getName(),
                        List.of(
                                "its repository %s, so that nothing would retry it. Instead, change that, or take the annotation away"
                                        .formatted(because)));
            }
        }
        if (RepositoryConstraints.isAnnotated(repository)) {
            throw new InvalidConstraintException(
                    "@UniqueBy is on %s, which %s.".formatted(repository.getSimpleName(), because),
                    "Change that, or take the annotation away.");
        }
    }

    private void advise(ProxyFactory proxy, RepositoryInformation repository, SureSession own) {
        int position = 0;
        for (RepositoryMethodAdvice advice : advices.get()) {
            Map<Method, MethodInterceptor> plans = plan(advice, repository, own);
            if (!plans.isEmpty()) {
                proxy.addAdvice(position++, new Planned(plans));
            }
        }
    }

    private static Map<Method, MethodInterceptor> plan(
            RepositoryMethodAdvice advice, RepositoryInformation repository, SureSession own) {
        Map<Method, MethodInterceptor> plans = new HashMap<>();
        for (Method method : repository.getRepositoryInterface().getMethods()) {
            MethodInterceptor plan =
                    Modifier.isStatic(method.getModifiers()) ? null : advice.plan(repository, method, own);
            if (plan != null) {
                plans.put(method, plan);
            }
        }
        return plans;
    }

    /** Whether advice consists of plans of a kind. */
    static boolean isPlannedBy(Class<? extends MethodInterceptor> kind, Advisor advisor) {
        return advisor.getAdvice() instanceof Planned planned
                && planned.plans().values().stream().anyMatch(kind::isInstance);
    }

    private record Planned(Map<Method, MethodInterceptor> plans) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            MethodInterceptor plan = plans.get(invocation.getMethod());
            return plan == null ? invocation.proceed() : plan.invoke(invocation);
        }
    }
}
