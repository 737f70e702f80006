package io.surewrite.repository;

import io.surewrite.retry.Idempotent;
import io.surewrite.retry.IdempotentMethodException;
import java.util.Arrays;
import java.util.List;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.data.cassandra.repository.query.CassandraQueryMethod;
import org.springframework.data.cassandra.repository.query.ReactiveCassandraQueryMethod;
import org.springframework.data.cassandra.repository.query.ReactiveStringBasedCassandraQuery;
import org.springframework.data.cassandra.repository.query.StringBasedCassandraQuery;
import org.springframework.data.repository.core.support.QueryCreationListener;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;
import org.springframework.data.repository.query.RepositoryQuery;

/**
 * Refuses {@link Idempotent} methods whose statement stands in a file of named queries: Spring Data does not show such a
 * statement, and what is not seen must not be repeated.
 */
final class NamedQueryCheck implements BeanPostProcessor {

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof RepositoryFactoryBeanSupport<?, ?, ?> factoryBean) {
            Class<?> repository = factoryBean.getObjectType();
            factoryBean.addRepositoryFactoryCustomizer(
                    factory -> factory.addQueryCreationListener(new Listener(repository)));
        }
        return bean;
    }

    private record Listener(Class<?> repository) implements QueryCreationListener<RepositoryQuery> {

        @Override
        public void onCreation(RepositoryQuery query) {
            String name = query.getQueryMethod().getName();
            if (isNamed(query) && isRetried(name)) {
                throw new IdempotentMethodException(
                        repository.getSimpleName() + "." + name,
                        List.of(("Its statement is the named query '%s', which cannot be checked. Instead, write the"
                                        + " statement on the method, by @Query")
                                .formatted(query.getQueryMethod().getNamedQueryName())));
            }
        }

        /** Overloads share a name, and with it the named query. */
        private boolean isRetried(String name) {
            return Arrays.stream(repository.getMethods())
                    .filter(method -> method.getName().equals(name))
                    .anyMatch(method -> IdempotentPlans.annotation(method, repository) != null);
        }

        private static boolean isNamed(RepositoryQuery query) {
            return query.getQueryMethod() instanceof CassandraQueryMethod method
                    && !method.hasAnnotatedQuery()
                    && (method instanceof ReactiveCassandraQueryMethod
                            ? query instanceof ReactiveStringBasedCassandraQuery
                            : query instanceof StringBasedCassandraQuery);
        }
    }
}
