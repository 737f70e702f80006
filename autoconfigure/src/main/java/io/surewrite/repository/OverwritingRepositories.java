package io.surewrite.repository;

import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.Overwriting;
import io.surewrite.overwrite.ReactiveOverwriteRepository;
import io.surewrite.overwrite.RepositoryOverwrites;
import io.surewrite.session.SureSession;
import io.surewrite.session.SureSessions;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.core.RepositoryMetadata;

/**
 * Lets {@code save} and {@code saveAll} overwrite in the repositories that want it. Its advice is the innermost one:
 * retries and guards come before.
 */
public final class OverwritingRepositories implements BeanPostProcessor, Ordered {

    private final Supplier<@Nullable SureSessions> sessions;
    private final Supplier<RepositoryOverwrites> fragments;
    private final BooleanSupplier everywhere;

    /**
     * Creates the post-processor.
     *
     * @param sessions has the overwrites of each repository's template
     * @param fragments what the repositories' fragments ask
     * @param everywhere whether repositories without {@link Overwriting} overwrite, asked when they are made
     */
    public OverwritingRepositories(
            Supplier<@Nullable SureSessions> sessions,
            Supplier<RepositoryOverwrites> fragments,
            BooleanSupplier everywhere) {
        this.sessions = sessions;
        this.fragments = fragments;
        this.everywhere = everywhere;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        RepositoryTemplates.tell(bean, sessions, new RepositoryTemplates.Made() {

            @Override
            public void composed(RepositoryMetadata repository, SureSession own) {
                if (OverwriteRepository.class.isAssignableFrom(repository.getRepositoryInterface())) {
                    requireSession(own);
                    fragments.get().add(repository, own::rowOverwrites);
                } else if (ReactiveOverwriteRepository.class.isAssignableFrom(repository.getRepositoryInterface())) {
                    requireSession(own);
                    fragments.get().addReactive(repository, own::reactiveRowOverwrites);
                }
            }

            @Override
            public void proxied(ProxyFactory proxy, RepositoryInformation repository, SureSession own) {
                SaveMethods methods = SaveMethods.of(repository);
                if (!methods.isEmpty() && overwrites(repository.getRepositoryInterface(), everywhere)) {
                    requireSession(own);
                    proxy.addAdvice(new SaveInterceptor(
                            methods,
                            repository.isReactiveRepository()
                                    ? new ReactiveSaves(own::reactiveRowOverwrites)
                                    : new BlockingSaves(own::rowOverwrites)));
                }
            }
        });
        return bean;
    }

    /** What is wrong with it ends the start, and not the first overwrite. */
    private static void requireSession(SureSession own) {
        var unused = own.session();
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
