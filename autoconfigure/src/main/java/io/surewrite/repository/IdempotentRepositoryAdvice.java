package io.surewrite.repository;

import io.surewrite.cql.analysis.IdempotenceCheck;
import io.surewrite.cql.session.TemplateScope;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.IdempotentMethodException;
import io.surewrite.retry.WhenExhausted;
import io.surewrite.retry.WriteRetryTemplate;
import io.surewrite.retry.engine.ScopedRetryTemplate;
import io.surewrite.schema.tables.TablesInUse;
import io.surewrite.schema.tables.TablesInUse;
import io.surewrite.session.SureSession;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.repository.core.RepositoryInformation;

/** Retries the {@link Idempotent} methods of repositories, and refuses those whose statement is not idempotent. */
final class IdempotentRepositoryAdvice implements RepositoryMethodAdvice {

    private final IdempotentPlans plans;
    private final IdempotenceCheck check;
    private final EntityArguments arguments;
    private final TablesInUse tables;
    private final Map<Repository, List<Supplier<List<String>>>> checks = new ConcurrentHashMap<>();

    /** One interface may have a repository on each of several templates. */
    private record Repository(Class<?> type, SureSession own) {}

    /**
     * @param tables records the tables
     */
    IdempotentRepositoryAdvice(
            IdempotentPlans plans, IdempotenceCheck check, EntityArguments arguments, TablesInUse tables) {
        this.plans = plans;
        this.check = check;
        this.arguments = arguments;
        this.tables = tables;
    }

    @Override
    public int getOrder() {
        return RETRY;
    }

    @Override
    public @Nullable MethodInterceptor plan(RepositoryInformation repository, Method method, SureSession own) {
        Class<?> type = repository.getRepositoryInterface();
        Idempotent annotation = IdempotentPlans.annotation(method, type);
        if (annotation == null) {
            return null;
        }
        boolean ofTheWholeInterface = IdempotentPlans.onMethod(method) == null;
        if (ofTheWholeInterface && RepositoryWrites.isTruncation(repository, method)) {
            return null; // nobody asked for this one: deleteAll() is inherited by every repository
        }
        String operation = type.getSimpleName() + "." + method.getName();
        ScopedRetryTemplate template = plans.template(annotation, operation).on(own.writeTimestamps(), nameOf(own));
        RepositoryWrites writes = new RepositoryWrites(check, own);
        List<String> reasons = reasonsAgainst(repository, method, template, writes);
        if (!TemplateScope.enter(own.template())) {
            reasons.add(
                    ("its template sends by %s, which takes no timestamp from the retry: a later attempt would undo a"
                                    + " newer write. Instead, give the template a CqlTemplate or a ReactiveCqlTemplate")
                            .formatted(sender(own.template())));
        }
        if (annotation.whenExhausted() == WhenExhausted.BACKLOG && !ofTheWholeInterface) {
            reasons.addAll(writes.reasonsAgainstWaiting(repository, method));
            if (own.name() == null) {
                reasons.add(
                        "whenExhausted = BACKLOG, and the session of its template is no bean, so that nobody could tell"
                                + " after a restart where the write belongs. Instead, define the session as a bean");
            }
        }
        if (!reasons.isEmpty()) {
            throw new IdempotentMethodException(operation, reasons);
        }
        checks(repository, own, writes).add(() -> reasonsAgainst(repository, method, template, writes));
        Streams streams = writes.streams(repository, method);
        return plans.plan(
                annotation,
                operation,
                method,
                streams == Streams.READ ? template.forReads() : template,
                streams,
                streams.areElements() ? arguments::prepareElements : arguments::prepare);
    }

    private static String nameOf(SureSession own) {
        String name = own.name();
        return name == null ? own.session().getName() : name;
    }

    private static String sender(Object template) {
        return template instanceof CassandraOperations blocking
                ? "a " + blocking.getCqlOperations().getClass().getName()
                : "means of its own";
    }

    private static List<String> reasonsAgainst(
            RepositoryInformation repository, Method method, ScopedRetryTemplate template, RepositoryWrites writes) {
        List<String> reasons = new ArrayList<>(writes.reasonsAgainst(repository, method));
        reasons.addAll(writes.reasonsAgainst(template.settings().deadline(), repository));
        return reasons;
    }

    /** What is asked again after a change of the schema. */
    private List<Supplier<List<String>>> checks(
            RepositoryInformation repository, SureSession own, RepositoryWrites writes) {
        return checks.computeIfAbsent(new Repository(repository.getRepositoryInterface(), own), added -> {
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
