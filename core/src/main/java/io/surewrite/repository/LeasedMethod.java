package io.surewrite.repository;

import io.surewrite.internal.observe.QuietLog;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseLocks.OnLoss;
import io.surewrite.lease.LeaseNotAcquiredException;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.LeaseUnavailableException;
import io.surewrite.lease.WithLease;
import io.surewrite.lease.WithLease.WhenHeld;
import io.surewrite.write.InvalidConfigurationException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.core.Ordered;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;
import org.springframework.data.repository.Repository;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

/** Runs one {@link WithLease} method under its lease. */
public record LeasedMethod(
        Supplier<LeaseLocks> locks,
        Method method,
        LeaseKey key,
        LeaseRequest anyName,
        Duration patience,
        WhenHeld whenHeld,
        OnLoss onLoss,
        QuietLog traces)
        implements MethodInterceptor {

    /** The type of {@code #root} in the key of a lease, which expressions read by reflection. */
    public static final String KEY_ROOT = LeaseKey.Root.class.getName();

    private static final String SCHEDULED = "org.springframework.scheduling.annotation.Scheduled";

    private static final Logger LOGGER = LoggerFactory.getLogger(LeasedMethod.class);

    private static LeasedMethod of(
            Supplier<LeaseLocks> locks,
            Method method,
            WithLease annotation,
            UnaryOperator<@Nullable String> placeholders,
            QuietLog traces) {
        if (Signature.isSuspending(method)) {
            throw refused(
                    method,
                    "it would be released when the function first suspends. Fix: use LeaseLocks.tryAcquireAsync");
        }
        Class<?> returned = method.getReturnType();
        if (CompletionStage.class.isAssignableFrom(returned)
                || Future.class.isAssignableFrom(returned)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned) != null) {
            throw refused(
                    method,
                    "it would be released before the %s is done. Fix: use LeaseLocks.tryAcquireAsync"
                            .formatted(returned.getSimpleName()));
        }
        if (annotation.whenHeld() == WhenHeld.SKIP && returned != void.class) {
            throw refused(
                    method,
                    "a call that is skipped has no %s to return. Fix: make it void, or use whenHeld = FAIL"
                            .formatted(returned.getSimpleName()));
        }
        try {
            Duration ttl = duration(placeholders.apply(annotation.ttl()));
            Duration wait = duration(placeholders.apply(annotation.waitAtMost()));
            Duration holdAtLeast = duration(placeholders.apply(annotation.holdAtLeast()));
            return new LeasedMethod(
                    locks,
                    method,
                    LeaseKey.of(annotation, method, placeholders),
                    new LeaseRequest("checked", ttl, true, holdAtLeast),
                    wait == null ? Duration.ZERO : wait,
                    annotation.whenHeld(),
                    annotation.onLoss(),
                    traces);
        } catch (IllegalArgumentException wrong) {
            throw refused(method, String.valueOf(wrong.getMessage()));
        }
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis());
        LeaseRequest request =
                new LeaseRequest(key.of(target, invocation.getArguments()), anyName.ttl(), true, anyName.holdAtLeast());
        AtomicBoolean begun = new AtomicBoolean();
        try {
            return locks.get()
                    .callUnder(request, patience, onLoss, lease -> {
                        begun.set(true);
                        return Optional.ofNullable(proceed(invocation));
                    })
                    .orElse(null);
        } catch (LeaseNotAcquiredException held) {
            if (whenHeld == WhenHeld.FAIL || begun.get()) {
                throw held;
            }
            LOGGER.debug("{} was skipped. {}", method, held.getMessage());
            return null;
        } catch (LeaseUnavailableException outage) {
            // Then nobody but a scheduler, which prints it, gets what is thrown; at every tick.
            boolean isScheduled = AnnotatedElementUtils.isAnnotated(method, SCHEDULED);
            throw isScheduled && !begun.get() ? forScheduler(outage) : outage;
        } catch (InterruptedException interrupted) {
            if (Arrays.stream(method.getExceptionTypes()).anyMatch(type -> type.isInstance(interrupted))) {
                throw interrupted;
            }
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for lease '%s'".formatted(request.name()));
        }
    }

    /** Of the stack traces of an outage one a minute is enough, for all methods together. */
    private LeaseUnavailableException forScheduler(LeaseUnavailableException outage) {
        AtomicBoolean due = new AtomicBoolean();
        traces.say("outage", more -> due.set(true));
        return due.get() ? outage : outage.brief();
    }

    private static @Nullable Object proceed(MethodInvocation invocation) throws Exception {
        try {
            return invocation.proceed();
        } catch (Exception | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static @Nullable Duration duration(@Nullable String text) {
        return StringUtils.hasText(text) ? DurationFormatterUtils.detectAndParse(text) : null;
    }

    static InvalidConfigurationException refused(Method method, String reason) {
        String name = "%s.%s".formatted(method.getDeclaringClass().getSimpleName(), method.getName());
        return new InvalidConfigurationException(
                name, "@WithLease on %s: %s".formatted(name, reason), "Correct the annotation.", "leases");
    }

    /** Those of beans, and of repositories of other stores than Cassandra. */
    public static final class OfBeans extends PlannedBeans<WithLease> {

        private final Supplier<LeaseLocks> locks;
        private final QuietLog traces = new QuietLog();

        public OfBeans(Supplier<LeaseLocks> locks, Refusals refusals) {
            // After the post-processor of the retry, which then begins under the lease, and before the one of @Async.
            super(refusals, Ordered.LOWEST_PRECEDENCE - 1);
            this.locks = locks;
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (bean instanceof Repository) {
                // Its annotations are on its interface, which the class of its target does not show.
                for (Class<?> repository : AopProxyUtils.proxiedUserInterfaces(bean)) {
                    planAll(repository);
                }
            }
            return super.postProcessAfterInitialization(bean, beanName);
        }

        /** Repositories of Spring Data Cassandra have their leases in front of their retries already. */
        @Override
        protected boolean isEligible(Object bean, String beanName) {
            return !RepositoryAdviceRegistrar.hasPlans(LeasedMethod.class, bean) && super.isEligible(bean, beanName);
        }

        @Override
        @Nullable
        WithLease annotation(Method method, Class<?> type) {
            return find(WithLease.class, method, type);
        }

        @Override
        boolean hasAdvice(Object bean) {
            return super.hasAdvice(bean) || RepositoryAdviceRegistrar.hasPlans(LeasedMethod.class, bean);
        }

        @Override
        InvalidConfigurationException refused(Method method, Class<?> type, String reason) {
            return LeasedMethod.refused(method, reason);
        }

        @Override
        MethodInterceptor newPlan(WithLease annotation, Method method, Class<?> type) {
            return of(locks, method, annotation, Objects.requireNonNull(beanFactory)::resolveEmbeddedValue, traces);
        }

        /** What is wrong with the leases ends the start, if there is a method that needs them. */
        @Override
        public void lookAtAll() {
            super.lookAtAll();
            if (isUsed()) {
                var unused = locks.get();
            }
        }
    }

    @Order(RepositoryMethodAdvice.LEASE)
    public record OfRepositories(
            Supplier<LeaseLocks> locks,
            UnaryOperator<@Nullable String> placeholders,
            AtomicBoolean used,
            QuietLog traces)
            implements RepositoryMethodAdvice, Refusals.LastLook {

        public OfRepositories(Supplier<LeaseLocks> locks, UnaryOperator<@Nullable String> placeholders) {
            this(locks, placeholders, new AtomicBoolean(), new QuietLog());
        }

        @Override
        public Function<Method, @Nullable MethodInterceptor> plan(PlannedRepository repository) {
            return method -> {
                WithLease annotation = AnnotatedElementUtils.findMergedAnnotation(method, WithLease.class);
                if (annotation == null) {
                    return null;
                }
                used.set(true);
                return of(locks, method, annotation, placeholders, traces);
            };
        }

        @Override
        public void lookAtAll() {
            if (used.get()) {
                var unused = locks.get();
            }
        }
    }
}
