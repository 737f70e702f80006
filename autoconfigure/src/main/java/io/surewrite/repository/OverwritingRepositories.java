package io.surewrite.repository;

import io.surewrite.overwrite.Overwriting;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;
import org.springframework.data.cassandra.repository.support.ReactiveCassandraRepositoryFactoryBean;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;

/**
 * Lets {@code save} and {@code saveAll} overwrite in the repositories that want it. Its advice is the innermost one:
 * retries and guards come before.
 */
public final class OverwritingRepositories implements BeanPostProcessor, Ordered {

    private final BeanFactory beans;
    private final BooleanSupplier everywhere;

    /**
     * Creates the post-processor.
     *
     * @param beans has the overwrites, which are looked up when they are first needed
     * @param everywhere whether repositories without {@link Overwriting} overwrite, asked when they are made
     */
    public OverwritingRepositories(BeanFactory beans, BooleanSupplier everywhere) {
        this.beans = beans;
        this.everywhere = everywhere;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof CassandraRepositoryFactoryBean<?, ?, ?> factory) {
            customize(factory, methods -> new SaveInterceptor(methods, BlockingSaves.with(beans)));
        } else if (bean instanceof ReactiveCassandraRepositoryFactoryBean<?, ?, ?> factory) {
            customize(factory, methods -> new SaveInterceptor(methods, ReactiveSaves.with(beans)));
        }
        return bean;
    }

    private void customize(
            RepositoryFactoryBeanSupport<?, ?, ?> bean, Function<SaveMethods, SaveInterceptor> interceptor) {
        bean.addRepositoryFactoryCustomizer(factory ->
                factory.addRepositoryProxyPostProcessor((proxy, repository) -> advise(proxy, repository, interceptor)));
    }

    private void advise(
            ProxyFactory proxy, RepositoryInformation repository, Function<SaveMethods, SaveInterceptor> interceptor) {
        SaveMethods methods = SaveMethods.of(repository);
        if (!methods.isEmpty() && overwrites(repository.getRepositoryInterface(), everywhere)) {
            proxy.addAdvice(interceptor.apply(methods));
        }
    }

    /** Whether {@code save} overwrites in a repository. */
    static boolean overwrites(Class<?> repository, BooleanSupplier everywhere) {
        Overwriting annotation = AnnotatedElementUtils.findMergedAnnotation(repository, Overwriting.class);
        return annotation == null ? everywhere.getAsBoolean() : annotation.value();
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}
