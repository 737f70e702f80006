package io.surewrite.repository;

import io.surewrite.session.SureSession;
import io.surewrite.session.SureSessions;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.repository.query.CassandraEntityInformation;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFragmentsContributor;
import org.springframework.data.cassandra.repository.support.ReactiveCassandraRepositoryFactoryBean;
import org.springframework.data.cassandra.repository.support.ReactiveCassandraRepositoryFragmentsContributor;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.core.RepositoryMetadata;
import org.springframework.data.repository.core.support.RepositoryComposition.RepositoryFragments;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;

/**
 * Finds the template of each repository when it is made: Spring Data shows it to those who contribute fragments, before it
 * makes the proxy.
 */
final class RepositoryTemplates {

    private RepositoryTemplates() {}

    /** Who is told of a repository that is made. */
    interface Made {

        /** Its template is known. */
        default void composed(RepositoryMetadata repository, SureSession own) {}

        /** There is no session, so that nothing can be told of its template. */
        default void withoutSession(RepositoryMetadata repository) {}

        /** Its proxy is made. */
        void proxied(ProxyFactory proxy, RepositoryInformation repository, SureSession own);
    }

    /**
     * Tells of the repositories of a factory bean that is not initialized yet; of those of other stores, nothing.
     *
     * @param bean any bean
     * @param sessions asked when the repository is made; null if there is no session
     * @return whether it is a factory bean of Spring Data Cassandra
     */
    static boolean tell(Object bean, Supplier<@Nullable SureSessions> sessions, Made made) {
        if (bean instanceof CassandraRepositoryFactoryBean<?, ?, ?> factory) {
            Watch watch = new Watch(sessions, made);
            factory.setRepositoryFragmentsContributor(
                    factory.getRepositoryFragmentsContributor().andThen(new Blocking(watch)));
            watch.proxies(factory);
            return true;
        }
        if (bean instanceof ReactiveCassandraRepositoryFactoryBean<?, ?, ?> factory) {
            Watch watch = new Watch(sessions, made);
            factory.setRepositoryFragmentsContributor(
                    factory.getRepositoryFragmentsContributor().andThen(new Reactive(watch)));
            watch.proxies(factory);
            return true;
        }
        return false;
    }

    private record Watch(
            Supplier<@Nullable SureSessions> sessions, Made made, AtomicReference<@Nullable SureSession> own) {

        Watch(Supplier<@Nullable SureSessions> sessions, Made made) {
            this(sessions, made, new AtomicReference<>());
        }

        RepositoryFragments composed(RepositoryMetadata repository, Function<SureSessions, SureSession> find) {
            SureSessions all = sessions.get();
            if (all == null) {
                made.withoutSession(repository);
            } else {
                SureSession found = find.apply(all);
                own.set(found);
                made.composed(repository, found);
            }
            return RepositoryFragments.empty();
        }

        void proxies(RepositoryFactoryBeanSupport<?, ?, ?> bean) {
            bean.addRepositoryFactoryCustomizer(factory ->
                    factory.addRepositoryProxyPostProcessor((proxy, repository) -> {
                        SureSession found = own.get();
                        if (found != null) {
                            made.proxied(proxy, repository, found);
                        }
                    }));
        }
    }

    private record Blocking(Watch watch) implements CassandraRepositoryFragmentsContributor {

        @Override
        public RepositoryFragments contribute(
                RepositoryMetadata repository,
                CassandraEntityInformation<?, ?> entity,
                CassandraOperations operations) {
            return watch.composed(repository, sessions -> sessions.of(operations));
        }

        @Override
        public RepositoryFragments describe(RepositoryMetadata repository) {
            return RepositoryFragments.empty();
        }
    }

    private record Reactive(Watch watch) implements ReactiveCassandraRepositoryFragmentsContributor {

        @Override
        public RepositoryFragments contribute(
                RepositoryMetadata repository,
                CassandraEntityInformation<?, ?> entity,
                ReactiveCassandraOperations operations) {
            return watch.composed(repository, sessions -> sessions.of(operations));
        }

        @Override
        public RepositoryFragments describe(RepositoryMetadata repository) {
            return RepositoryFragments.empty();
        }
    }
}
