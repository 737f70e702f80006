package io.surewrite.repository;

import io.surewrite.unique.UniqueConstraint;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;

/** Guards methods of a repository by some of its constraints. */
@FunctionalInterface
interface GuardedTables {

    /**
     * Makes what guards a method.
     *
     * @param mutation what the method does
     * @param constraints what guards it
     */
    MethodInterceptor guarding(RepositoryMutation mutation, List<UniqueConstraint> constraints);
}
