package io.surewrite.repository;

import io.surewrite.backlog.WriteBacklog;
import io.surewrite.cql.Backoff;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.IdempotentMethodException;
import io.surewrite.retry.RetrySettings;
import io.surewrite.retry.WhenExhausted;
import io.surewrite.retry.WriteRetryTemplate;
import io.surewrite.retry.engine.ScopedRetryTemplate;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringUtils;

/** Makes of an {@link Idempotent} annotation what runs at every call. */
final class IdempotentPlans {

    private final ConfigurableBeanFactory beans;
    private final Consumer<Method> planned;

    IdempotentPlans(ConfigurableBeanFactory beans, Consumer<Method> planned) {
        this.beans = beans;
        this.planned = planned;
    }

    /** The template that the annotation names, with the settings that it states. */
    ScopedRetryTemplate template(Idempotent annotation, String method) {
        try {
            ScopedRetryTemplate template =
                    ScopedRetryTemplate.of(beans.getBean(annotation.template(), WriteRetryTemplate.class));
            return template.with(settings(annotation, template.settings()));
        } catch (NoSuchBeanDefinitionException missing) {
            throw new IdempotentMethodException(
                    method,
                    List.of("There is no WriteRetryTemplate bean '%s'. Instead, name one of the beans, or define it"
                            .formatted(annotation.template())));
        } catch (IllegalArgumentException wrong) {
            throw new IdempotentMethodException(method, List.of(String.valueOf(wrong.getMessage())));
        }
    }

    RetryInterceptor interceptor(
            Idempotent annotation,
            String operation,
            Method method,
            ScopedRetryTemplate template,
            Streams streams,
            BiFunction<Class<?>, @Nullable Object, @Nullable Object> argument) {
        planned.accept(method);
        try {
            return new RetryInterceptor(
                    operation,
                    template,
                    Answers.of(method, streams),
                    method.getParameterTypes(),
                    argument,
                    kept(annotation, method, template));
        } catch (IllegalArgumentException wrong) {
            throw new IdempotentMethodException(operation, List.of(String.valueOf(wrong.getMessage())));
        }
    }

    private @Nullable KeptAnswers kept(Idempotent annotation, Method method, ScopedRetryTemplate template) {
        if (annotation.whenExhausted() == WhenExhausted.FAIL) {
            return null;
        }
        if (IdempotentAnnotations.onMethod(method) == null) {
            throw new IllegalArgumentException(
                    "whenExhausted = BACKLOG is said of the whole type, and methods that read"
                            + " or write much cannot wait. Instead, say it of each method that may");
        }
        if (LeasePlan.annotation(method) != null) {
            throw new IllegalArgumentException(
                    "whenExhausted = BACKLOG, and it has @WithLease: a kept write would be done"
                            + " later, after writes of other holders. Instead, let it fail, or do without the lease");
        }
        if (!template.isIdempotent()) {
            throw new IllegalArgumentException("whenExhausted = BACKLOG, and its template is for conditional writes:"
                    + " nobody knows now how a condition is decided later. Instead, use cassandraRetryTemplate");
        }
        WriteBacklog backlog = beans.getBeanProvider(WriteBacklog.class).getIfAvailable();
        if (backlog == null) {
            throw new IllegalArgumentException("whenExhausted = BACKLOG, and there is no backlog. Instead, set"
                    + " surewrite.backlog.enabled=true and surewrite.backlog.directory");
        }
        return KeptAnswers.of(method, backlog);
    }

    private RetrySettings settings(Idempotent annotation, RetrySettings defaults) {
        Backoff backoff = defaults.backoff();
        Duration initial = duration("initialBackoff", annotation.initialBackoff(), backoff.initial());
        Duration max = duration("maxBackoff", annotation.maxBackoff(), backoff.max());
        return new RetrySettings(
                annotation.attempts() == -1 ? defaults.attempts() : annotation.attempts(),
                duration("deadline", annotation.deadline(), defaults.deadline()),
                new Backoff(
                        initial, max, annotation.multiplier() == -1 ? backoff.multiplier() : annotation.multiplier()));
    }

    private Duration duration(String attribute, String text, Duration otherwise) {
        String resolved = beans.resolveEmbeddedValue(text);
        if (!StringUtils.hasText(resolved)) {
            return otherwise;
        }
        try {
            return DurationStyle.detectAndParse(resolved.strip());
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    "%s = '%s' is no duration. Instead, write it like 500ms, 5s or PT5S".formatted(attribute, resolved),
                    unreadable);
        }
    }
}
