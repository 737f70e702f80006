package io.surewrite.repository;

import io.surewrite.retry.Idempotent;
import io.surewrite.retry.IdempotentMethodException;
import io.surewrite.retry.WhenExhausted;
import io.surewrite.retry.WriteRetryTemplate;
import io.surewrite.schema.TablesInUse;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.data.repository.core.RepositoryInformation;

/** Retries the {@link Idempotent} methods of repositories, and refuses those whose statement is not idempotent. */
final class IdempotentRepositoryAdvice implements RepositoryMethodAdvice, Ordered {

    private final IdempotentPlans plans;
    private final RepositoryWrites writes;
    private final EntityArguments arguments;
    private final TablesInUse tables;
    private final Map<Class<?>, List<Supplier<List<String>>>> checks = new ConcurrentHashMap<>();

    /**
     * @param tables hears of the tables
     */
    IdempotentRepositoryAdvice(
            IdempotentPlans plans, RepositoryWrites writes, EntityArguments arguments, TablesInUse tables) {
        this.plans = plans;
        this.writes = writes;
        this.arguments = arguments;
        this.tables = tables;
    }

    /** The outermost: whatever else a call does is done again with it. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable MethodInterceptor plan(RepositoryInformation repository, Method method) {
        Class<?> type = repository.getRepositoryInterface();
        Idempotent annotation = IdempotentAnnotations.find(method, type);
        if (annotation == null) {
            return null;
        }
        boolean ofTheWholeInterface = IdempotentAnnotations.onMethod(method) == null;
        if (ofTheWholeInterface && RepositoryWrites.isTruncation(repository, method)) {
            return null; // nobody asked for this one: deleteAll() is inherited by every repository
        }
        String operation = type.getSimpleName() + "." + method.getName();
        WriteRetryTemplate template = plans.template(annotation, operation);
        List<String> reasons = reasonsAgainst(repository, method, template);
        if (annotation.whenExhausted() == WhenExhausted.BACKLOG && !ofTheWholeInterface) {
            reasons.addAll(writes.reasonsAgainstWaiting(repository, method));
        }
        if (!reasons.isEmpty()) {
            throw new IdempotentMethodException(operation, reasons);
        }
        checks(repository).add(() -> reasonsAgainst(repository, method, template));
        return plans.interceptor(annotation, operation, method, template, arguments::prepare);
    }

    private List<String> reasonsAgainst(RepositoryInformation repository, Method method, WriteRetryTemplate template) {
        List<String> reasons = new ArrayList<>(writes.reasonsAgainst(repository, method));
        reasons.addAll(writes.reasonsAgainst(template.settings().deadline(), repository));
        return reasons;
    }

    /** What is asked again after a change of the schema. */
    private List<Supplier<List<String>>> checks(RepositoryInformation repository) {
        return checks.computeIfAbsent(repository.getRepositoryInterface(), type -> {
            List<Supplier<List<String>>> all = new CopyOnWriteArrayList<>();
            writes.register(
                    repository,
                    tables,
                    () -> all.stream()
                            .flatMap(check -> check.get().stream())
                            .distinct()
                            .toList());
            return all;
        });
    }
}
