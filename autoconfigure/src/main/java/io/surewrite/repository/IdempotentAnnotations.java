package io.surewrite.repository;

import io.surewrite.retry.Idempotent;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Finds {@link Idempotent} on a method, or else on the type it is called through. */
final class IdempotentAnnotations {

    private IdempotentAnnotations() {}

    static @Nullable Idempotent find(Method method, Class<?> type) {
        Idempotent onMethod = onMethod(method);
        return onMethod != null ? onMethod : on(type);
    }

    static @Nullable Idempotent onMethod(Method method) {
        return on(method);
    }

    private static @Nullable Idempotent on(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
                .get(Idempotent.class)
                .synthesize(MergedAnnotation::isPresent)
                .orElse(null);
    }
}
