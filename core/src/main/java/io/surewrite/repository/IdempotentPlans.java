package io.surewrite.repository;

import io.surewrite.backlog.WriteBacklog;
import io.surewrite.lease.WithLease;
import io.surewrite.repository.RetriedMethod.KeptReturn;
import io.surewrite.repository.RetriedMethod.Streams;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.retry.RetrySettings;
import io.surewrite.retry.ScopedRetryTemplate;
import io.surewrite.retry.WriteRetryTemplate;
import io.surewrite.write.Backoff;
import io.surewrite.write.InvalidConfigurationException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.repository.Repository;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** Makes of an {@link Idempotent} annotation what runs at every call. */
public record IdempotentPlans(ConfigurableBeanFactory beans, Consumer<Method> planned) {

    /** The annotation of a method, or else of the type that it is called through. */
    static @Nullable Idempotent annotation(Method method, Class<?> type) {
        Idempotent onMethod = onMethod(method, type);
        return onMethod != null ? onMethod : AnnotatedElementUtils.findMergedAnnotation(type, Idempotent.class);
    }

    static @Nullable Idempotent onMethod(Method method, Class<?> type) {
        return PlannedBeans.find(Idempotent.class, method, type);
    }

    static boolean isAnnotated(Class<?> type) {
        return Arrays.stream(type.getMethods()).anyMatch(method -> annotation(method, type) != null);
    }

    /** A method as messages and measurements name it. */
    static String operation(Method method, Class<?> type) {
        return ClassUtils.getUserClass(type).getSimpleName() + "." + method.getName();
    }

    public static InvalidConfigurationException refused(String method, List<String> reasons) {
        return new InvalidConfigurationException(
                method,
                "%s cannot be @Idempotent:\n - %s".formatted(method, String.join("\n - ", reasons)),
                "Change the method as each reason says, or take @Idempotent away from it.",
                "idempotence");
    }

    ScopedRetryTemplate template(Idempotent annotation, String method) {
        try {
            ScopedRetryTemplate template =
                    ScopedRetryTemplate.of(beans.getBean(annotation.template(), WriteRetryTemplate.class));
            return template.with(settings(annotation, template.settings()));
        } catch (NoSuchBeanDefinitionException missing) {
            throw refused(
                    method,
                    List.of("There is no WriteRetryTemplate bean '%s'. Fix: name one of the beans, or define it"
                            .formatted(annotation.template())));
        } catch (IllegalArgumentException wrong) {
            throw refused(method, List.of(String.valueOf(wrong.getMessage())));
        }
    }

    RetriedMethod plan(
            Idempotent annotation,
            Method method,
            Class<?> type,
            ScopedRetryTemplate template,
            Streams streams,
            BiFunction<Class<?>, @Nullable Object, @Nullable Object> argument) {
        planned.accept(method);
        String operation = operation(method, type);
        try {
            return new RetriedMethod(operation, method, template, streams, argument, kept(annotation, method, type));
        } catch (IllegalArgumentException wrong) {
            throw refused(operation, List.of(String.valueOf(wrong.getMessage())));
        }
    }

    private @Nullable KeptReturn kept(Idempotent annotation, Method method, Class<?> type) {
        if (annotation.whenExhausted() == WhenExhausted.FAIL) {
            return null;
        }
        Assert.isTrue(
                onMethod(method, type) != null,
                "whenExhausted = BACKLOG is said of the whole type, and methods that read or write much cannot wait. Fix: say it of each method that may");
        Assert.isTrue(
                PlannedBeans.find(WithLease.class, method, type) == null,
                "whenExhausted = BACKLOG, and it has @WithLease: a kept write would be done later, after writes of other holders. Fix: let it fail, or do without the lease");
        WriteBacklog backlog = beans.getBeanProvider(WriteBacklog.class).getIfAvailable();
        if (backlog == null) {
            throw new IllegalArgumentException("whenExhausted = BACKLOG, and there is no backlog. Fix: set"
                    + " surewrite.backlog.enabled=true and surewrite.backlog.directory");
        }
        return KeptReturn.of(method, backlog);
    }

    private RetrySettings settings(Idempotent annotation, RetrySettings defaults) {
        Backoff backoff = defaults.backoff();
        Duration initial = duration("initialBackoff", annotation.initialBackoff(), backoff.initial());
        Duration max = duration("maxBackoff", annotation.maxBackoff(), backoff.max());
        return new RetrySettings(
                annotation.attempts() == -1 ? defaults.attempts() : annotation.attempts(),
                duration("deadline", annotation.deadline(), defaults.deadline()),
                new Backoff(initial, max, backoff.multiplier()));
    }

    private Duration duration(String attribute, String text, Duration otherwise) {
        String resolved = beans.resolveEmbeddedValue(text);
        if (!StringUtils.hasText(resolved)) {
            return otherwise;
        }
        try {
            return DurationFormatterUtils.detectAndParse(resolved.strip());
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    "%s = '%s' is no duration. Fix: write it like 500ms or 5s".formatted(attribute, resolved),
                    unreadable);
        }
    }

    /**
     * Retries the {@link Idempotent} methods of beans that are no repositories. The retry is the outermost advice but for
     * locks, under which it begins, and for {@code @Async}, which moves the whole call to another thread.
     */
    public static final class OfBeans extends PlannedBeans<Idempotent> {

        private final Consumer<Method> planned;

        public OfBeans(Consumer<Method> planned, Refusals refusals) {
            super(refusals, Ordered.LOWEST_PRECEDENCE - 2); // before those of @WithLease and of @Async
            this.planned = planned;
        }

        @Override
        @Nullable
        Idempotent annotation(Method method, Class<?> type) {
            return Repository.class.isAssignableFrom(type) ? null : IdempotentPlans.annotation(method, type);
        }

        @Override
        InvalidConfigurationException refused(Method method, Class<?> type, String reason) {
            return IdempotentPlans.refused(operation(method, type), List.of(reason));
        }

        @Override
        RetriedMethod newPlan(Idempotent annotation, Method method, Class<?> type) {
            IdempotentPlans plans = new IdempotentPlans(Objects.requireNonNull(beanFactory), planned);
            return plans.plan(
                    annotation,
                    method,
                    type,
                    plans.template(annotation, operation(method, type)),
                    Streams.OF_ITS_OWN,
                    (declared, argument) -> argument);
        }
    }
}
