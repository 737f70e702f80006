package io.surewrite.repository;

import io.surewrite.session.SureSession;
import io.surewrite.unique.TrustedWrite;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.repository.core.NamedQueries;
import org.springframework.data.repository.core.RepositoryInformation;

/**
 * Puts nothing around anything: it only sees which entities are written by repositories, with constraints and without.
 *
 * @param written called with what belongs to such a repository, and the type of its entities
 */
record WrittenTablesAdvice(BiConsumer<SureSession, Class<?>> written) implements RepositoryMethodAdvice {

    @Override
    public int getOrder() {
        return READS;
    }

    @Override
    public Function<Method, @Nullable MethodInterceptor> plan(
            RepositoryInformation repository, NamedQueries named, SureSession own, Object target) {
        Class<?> type = repository.getRepositoryInterface();
        if (!AnnotatedElementUtils.hasAnnotation(type, TrustedWrite.class)
                && Arrays.stream(type.getMethods()).anyMatch(method -> writes(repository, named, method))) {
            written.accept(own, repository.getDomainType());
        }
        return method -> null;
    }

    private static boolean writes(RepositoryInformation repository, NamedQueries named, Method method) {
        if (RepositoryMutation.of(repository, method) != null
                || RepositoryMutation.isDerivedDelete(repository, method)) {
            return true;
        }
        String statement = RepositoryMutation.statement(repository, named, method);
        return statement != null && !statement.strip().toLowerCase(Locale.ROOT).startsWith("select");
    }
}
