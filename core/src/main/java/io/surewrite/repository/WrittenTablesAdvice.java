package io.surewrite.repository;

import io.surewrite.cql.analysis.CqlText;
import io.surewrite.session.SureSession;
import io.surewrite.unique.TrustedWrite;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;

/**
 * Puts nothing around anything: it only sees which entities are written by repositories, with constraints and without.
 *
 * @param written called with what belongs to such a repository, and the type of its entities
 */
@Order(RepositoryMethodAdvice.READS)
public record WrittenTablesAdvice(BiConsumer<SureSession, Class<?>> written) implements RepositoryMethodAdvice {

    @Override
    public Function<Method, @Nullable MethodInterceptor> plan(PlannedRepository repository) {
        Class<?> type = repository.type();
        if (!AnnotatedElementUtils.hasAnnotation(type, TrustedWrite.class)
                && Arrays.stream(type.getMethods()).anyMatch(method -> writes(repository, method))) {
            written.accept(repository.own(), repository.information().getDomainType());
        }
        return method -> null;
    }

    private static boolean writes(PlannedRepository repository, Method method) {
        if (repository.mutation(method) != null || repository.isDerivedDelete(method)) {
            return true;
        }
        String statement = repository.statement(method);
        return statement != null && !CqlText.of(statement).reads();
    }
}
