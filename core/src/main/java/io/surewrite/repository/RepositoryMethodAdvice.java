package io.surewrite.repository;

import io.surewrite.internal.session.StatementGuards;
import io.surewrite.retry.ClientSideIds;
import io.surewrite.schema.TablesInUse;
import io.surewrite.unique.WholeTable.UniqueScanSettings;
import java.lang.reflect.Method;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;

/** One thing that can be put around repository methods. Of several, the one with the lowest order is the outermost. */
public interface RepositoryMethodAdvice {

    /** Outermost: the retry, too, begins under the lease. */
    int LEASE = Ordered.HIGHEST_PRECEDENCE;

    /** Around the rest: whatever else a call does is done again with it. */
    int RETRY = LEASE + 1;

    /** Around each attempt. */
    int ATTEMPT = RETRY + 1;

    /** Inside of the retry, outside of everything else. */
    int UNIQUE = 0;

    /** {@return what to put around each method of a repository, declared or inherited; null for nothing} */
    Function<Method, @Nullable MethodInterceptor> plan(PlannedRepository repository);

    static RepositoryMethodAdvice retry(
            ConfigurableBeanFactory beans, ClientSideIds ids, Runnable planned, TablesInUse tables) {
        return new IdempotentRepositoryAdvice(beans, ids, planned, tables);
    }

    static RepositoryMethodAdvice unique(
            ApplicationContext context,
            UniqueScanSettings scans,
            TablesInUse tables,
            StatementGuards guards,
            SteadyValues steady) {
        return new UniqueRepositoryAdvice(context, scans, tables, guards, steady);
    }
}
