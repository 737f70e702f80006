package io.surewrite.repository;

import io.surewrite.overwrite.NullEntityException;
import io.surewrite.overwrite.OverwriteOptions;
import java.util.ArrayList;
import java.util.List;
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
        Object argument = required(arguments[0], mutation);
        boolean many = invocation.getMethod().getParameterTypes()[0] == Iterable.class;
        if (mutation == RepositoryMutation.DELETE) {
            if (many) {
                all((Iterable<?>) argument, mutation).forEach(entities::delete);
            } else {
                entities.delete(argument);
            }
            return null;
        }
        if (overwrites(mutation, saveOverwrites)) {
            return many
                    ? entities.overwrite(all((Iterable<?>) argument, mutation))
                    : entities.overwrite(List.of(argument)).get(0);
        }
        UnaryOperator<Object> operation = mutation == RepositoryMutation.INSERT ? entities::insert : entities::save;
        return many ? entities.each(all((Iterable<?>) argument, mutation), operation) : operation.apply(argument);
    }

    static boolean overwrites(RepositoryMutation mutation, boolean saveOverwrites) {
        return mutation == RepositoryMutation.OVERWRITE || (mutation == RepositoryMutation.SAVE && saveOverwrites);
    }

    static Object required(@Nullable Object argument, RepositoryMutation mutation) {
        if (argument == null) {
            String problem = "There is nothing to write or to delete: the entity or id is null.";
            throw mutation == RepositoryMutation.OVERWRITE
                    ? new NullEntityException(problem)
                    : new InvalidDataAccessApiUsageException(problem);
        }
        return argument;
    }

    /** What is given, before the first of it is written. */
    static List<Object> all(Iterable<?> given, RepositoryMutation mutation) {
        List<Object> all = new ArrayList<>();
        given.forEach(each -> all.add(required(each, mutation)));
        return all;
    }

    /** A guard chooses timestamp and consistency itself, and a row that expires would leave its claims. */
    static void refuseOptions(@Nullable Object[] arguments) {
        if (arguments.length > 1 && !OverwriteOptions.none().equals(arguments[1])) {
            throw new InvalidDataAccessApiUsageException(
                    "A row with unique constraints is overwritten without options: its timestamp and consistency are the guard's, and it must not expire");
        }
    }
}
