package io.surewrite.repository;

import io.surewrite.overwrite.OverwriteOptions;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/** Sends what a repository method writes through the guard, in the place of Spring Data's own implementation. */
final class UniqueInterceptor implements MethodInterceptor {

    private final RepositoryMutation mutation;
    private final boolean saveOverwrites;
    private final GuardedEntities entities;

    UniqueInterceptor(RepositoryMutation mutation, boolean saveOverwrites, GuardedEntities entities) {
        this.mutation = mutation;
        this.saveOverwrites = saveOverwrites;
        this.entities = entities;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) {
        @Nullable Object[] arguments = invocation.getArguments();
        refuseOptions(arguments);
        Object argument = Objects.requireNonNull(arguments[0], "The entity or id must not be null");
        boolean many = invocation.getMethod().getParameterTypes()[0] == Iterable.class;
        if (mutation == RepositoryMutation.DELETE) {
            if (many) {
                ((Iterable<?>) argument).forEach(entities::delete);
            } else {
                entities.delete(argument);
            }
            return null;
        }
        UnaryOperator<Object> operation = operation();
        return many ? entities.each((Iterable<?>) argument, operation) : operation.apply(argument);
    }

    private UnaryOperator<Object> operation() {
        if (mutation == RepositoryMutation.INSERT) {
            return entities::insert;
        }
        return mutation == RepositoryMutation.OVERWRITE || saveOverwrites ? entities::overwrite : entities::save;
    }

    /** A guard chooses timestamp and consistency itself, and a row that expires would leave its claims. */
    static void refuseOptions(@Nullable Object[] arguments) {
        if (arguments.length > 1 && !OverwriteOptions.none().equals(arguments[1])) {
            throw new InvalidDataAccessApiUsageException(
                    "A row with unique constraints is overwritten without options: its timestamp and consistency are the guard's, and it must not expire");
        }
    }
}
