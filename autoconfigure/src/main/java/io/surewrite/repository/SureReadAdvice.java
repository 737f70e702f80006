package io.surewrite.repository;

import io.surewrite.cql.session.SureLevel;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.ReactiveOverwriteRepository;
import io.surewrite.session.SureSession;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.cassandra.repository.Consistency;
import org.springframework.data.repository.core.RepositoryInformation;

/** Has a repository that makes sure writes read at their level, in all methods that are no such writes themselves. */
public final class SureReadAdvice implements RepositoryMethodAdvice, Ordered {

    private final boolean majority;
    private final BooleanSupplier savesOverwrite;
    private final Consumer<String> weakChoices;
    private final Map<Class<?>, Boolean> sureRepositories = new ConcurrentHashMap<>();

    /**
     * Creates the advice.
     *
     * @param majority whether levels are Surewrite's to choose at all
     * @param savesOverwrite whether {@code save} overwrites where the repository does not say
     * @param weakChoices hears of methods that choose a level which one replica satisfies
     */
    public SureReadAdvice(boolean majority, BooleanSupplier savesOverwrite, Consumer<String> weakChoices) {
        this.majority = majority;
        this.savesOverwrite = savesOverwrite;
        this.weakChoices = weakChoices;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public @Nullable MethodInterceptor plan(RepositoryInformation repository, Method method, SureSession own) {
        Class<?> type = repository.getRepositoryInterface();
        if (!sureRepositories.computeIfAbsent(type, this::makesSureWrites)) {
            return null;
        }
        noteWeakChoice(type, method);
        return majority ? SureReadInterceptor.of(method) : null; // inside a retry, the scope says the level
    }

    private boolean makesSureWrites(Class<?> repository) {
        return RepositoryConstraints.isAnnotated(repository)
                || OverwritingRepositories.overwrites(repository, savesOverwrite)
                || OverwriteRepository.class.isAssignableFrom(repository)
                || (Answers.hasReactor() && ReactiveOverwriteRepository.class.isAssignableFrom(repository))
                || Arrays.stream(repository.getMethods())
                        .anyMatch(method -> IdempotentAnnotations.find(method, repository) != null);
    }

    private void noteWeakChoice(Class<?> type, Method method) {
        Consistency chosen = AnnotatedElementUtils.findMergedAnnotation(method, Consistency.class);
        if (chosen != null && SureLevel.isWeak(chosen.value().name())) {
            weakChoices.accept(
                    "%s (@Consistency of %s.%s)".formatted(chosen.value(), type.getSimpleName(), method.getName()));
        }
    }
}
