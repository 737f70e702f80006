package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.retry.Idempotent;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.InvalidConfigurationException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.data.repository.CrudRepository;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;
import org.springframework.data.repository.core.support.RepositoryFactorySupport;

/** Annotations on repositories of another store, which nobody would heed. */
class RepositoriesOfNobodyTests {

    private final Refusals refusals = new Refusals();
    private final RepositoryAdviceRegistrar registrar =
            new RepositoryAdviceRegistrar(() -> null, List::of, () -> null, () -> false, () -> {}, refusals);

    @ParameterizedTest
    @ValueSource(classes = {Retried.class, Unique.class})
    void areRefused(Class<? extends CrudRepository<String, String>> type) {
        OfAnotherStore bean = new OfAnotherStore(type);
        refusals.setBeanFactory(new StaticListableBeanFactory());
        registrar.postProcessBeforeInitialization(bean, "bean");
        assertThatThrownBy(refusals::afterSingletonsInstantiated)
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContainingAll(type.getSimpleName(), "is no repository of Spring Data Cassandra");
    }

    interface Retried extends CrudRepository<String, String> {

        @Override
        @Idempotent
        <S extends String> S save(S row);
    }

    @UniqueBy("name")
    interface Unique extends CrudRepository<String, String> {}

    private static final class OfAnotherStore
            extends RepositoryFactoryBeanSupport<CrudRepository<String, String>, String, String> {

        OfAnotherStore(Class<? extends CrudRepository<String, String>> type) {
            super(type);
        }

        @Override
        protected RepositoryFactorySupport createRepositoryFactory() {
            throw new UnsupportedOperationException("not asked for");
        }
    }
}
