package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.unique.InvalidConstraintException;
import io.surewrite.unique.UniqueComponent;
import io.surewrite.unique.UniqueConstraint;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.repository.core.RepositoryInformation;

/** Plans one repository with unique constraints: what goes through the guard, what is refused, and what passes by. */
final class UniquePlanner {

    private static final Logger log = LoggerFactory.getLogger(UniquePlanner.class);

    private final RepositoryInformation repository;
    private final RepositoryConstraints constraints;
    private final GuardedTables tables;
    private final List<String> bypasses = new ArrayList<>();

    UniquePlanner(RepositoryInformation repository, RepositoryConstraints constraints, GuardedTables tables) {
        this.repository = repository;
        this.constraints = constraints;
        this.tables = tables;
    }

    /**
     * Plans all methods.
     *
     * @param strict whether methods that write past the guard are refused, not only named
     */
    Map<Method, MethodInterceptor> plan(boolean strict) {
        ConstrainedQueries queries = new ConstrainedQueries(constrainedColumns());
        Map<Method, MethodInterceptor> plans = new HashMap<>();
        for (Method method : repository.getRepositoryInterface().getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) || method.isBridge()) {
                continue; // a bridge calls what it stands for
            }
            RepositoryMutation mutation = RepositoryMutation.of(repository, method);
            requireEntityWrite(method, mutation);
            MethodInterceptor plan = mutation == null ? own(method, queries) : plan(method, mutation);
            if (plan != null) {
                plans.put(method, plan);
            }
        }
        report(strict);
        return plans;
    }

    private void requireEntityWrite(Method method, @Nullable RepositoryMutation mutation) {
        if (!constraints.of(method).isEmpty() && (mutation == null || !mutation.writesEntities())) {
            throw new InvalidConstraintException(
                    "@UniqueBy is on %s, which %s."
                            .formatted(
                                    operation(method),
                                    mutation == null
                                            ? "writes no entity that Surewrite could see"
                                            : "deletes; deletions always free what was claimed"),
                    "Put it on the repository's interface, or on save, saveAll, insert or overwrite.");
        }
    }

    private @Nullable MethodInterceptor plan(Method method, RepositoryMutation mutation) {
        return switch (mutation) {
            case SAVE, INSERT, OVERWRITE -> write(method, mutation);
            case DELETE -> tables.guarding(mutation, constraints.all());
            case TRUNCATE ->
                refused(
                        method,
                        "truncates the table, which leaves all claims. Instead, delete the rows one by one: deleteAll(findAll())");
            case PARTITION ->
                refused(
                        method,
                        "deletes rows without looking at them, which leaves their claims. Instead, overwrite and delete rows one by one");
        };
    }

    private @Nullable MethodInterceptor write(Method method, RepositoryMutation mutation) {
        List<UniqueConstraint> guarded = constraints.guarding(method);
        List<String> missing = constraints.all().stream()
                .filter(constraint -> !guarded.contains(constraint))
                .map(UniqueConstraint::name)
                .toList();
        if (!missing.isEmpty()) {
            bypasses.add("%s does not guard %s".formatted(operation(method), String.join(", ", missing)));
        }
        return guarded.isEmpty() ? null : tables.guarding(mutation, guarded);
    }

    /** Inherited methods are refused when they are called; what the application asks for itself, at once. */
    private MethodInterceptor refused(Method method, String reason) {
        String problem = "%s %s".formatted(operation(method), reason);
        if (method.getDeclaringClass() == repository.getRepositoryInterface()) {
            throw new InvalidConstraintException(
                    problem + ".", "Take the method, or the unique constraint, out of the repository.");
        }
        return new RefusedMethod(problem);
    }

    private @Nullable MethodInterceptor own(Method method, ConstrainedQueries queries) {
        String harm = queries.harm(repository, method);
        if (harm != null) {
            throw new InvalidConstraintException(
                    "%s %s.".formatted(operation(method), harm),
                    "Instead, write the entity by save, and delete it by delete, deleteById or deleteAll(entities).");
        }
        if (isImplementedByTheApplication(method)
                && method.getName().matches("(save|insert|update|overwrite|delete).*")) {
            bypasses.add(operation(method) + " is the application's own code, which nobody can look into");
        }
        return null;
    }

    private boolean isImplementedByTheApplication(Method method) {
        return !method.isDefault() && (repository.isCustomMethod(method) || repository.isBaseClassMethod(method));
    }

    private void report(boolean strict) {
        if (bypasses.isEmpty()) {
            return;
        }
        String all = String.join("\n - ", bypasses.stream().sorted().toList());
        if (strict) {
            throw new InvalidConstraintException(
                    "Some methods may write past unique constraints:\n - %s\n".formatted(all),
                    "Put @UniqueBy on the repository's interface, or allow them by surewrite.unique.strict=false.");
        }
        log.warn("Some methods may write past unique constraints:\n - {}", all);
    }

    private Set<CqlIdentifier> constrainedColumns() {
        return constraints.all().stream()
                .flatMap(constraint -> constraint.components().stream())
                .map(UniqueComponent::column)
                .collect(Collectors.toSet());
    }

    private String operation(Method method) {
        return repository.getRepositoryInterface().getSimpleName() + "." + method.getName();
    }
}
