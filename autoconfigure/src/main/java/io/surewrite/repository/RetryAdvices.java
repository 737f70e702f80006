package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.retry.ClientSideIds;
import io.surewrite.retry.IdempotenceCheck;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;

/** Puts the retry together, for the auto-configuration. */
public final class RetryAdvices {

    private RetryAdvices() {}

    /**
     * The retry around repository methods.
     *
     * @param beans where the templates are, and what resolves placeholders
     * @param check decides what may be retried
     * @param session whose schema is looked at
     * @param mapping knows the entities
     * @param ids gives entities their ids before the first attempt, or null to leave that to the user
     * @return the advice, the outermost of all
     */
    public static RepositoryMethodAdvice ofRepositories(
            ConfigurableBeanFactory beans,
            IdempotenceCheck check,
            Supplier<CqlSession> session,
            CassandraMappingContext mapping,
            @Nullable ClientSideIds ids) {
        return new IdempotentRepositoryAdvice(
                new IdempotentPlans(beans), new RepositoryWrites(check, session, mapping), new EntityArguments(ids));
    }

    /**
     * The retry around the methods of other beans.
     *
     * @param beans where the templates are, and what resolves placeholders
     * @return adds the retry to the beans
     */
    public static BeanPostProcessor ofBeans(ConfigurableBeanFactory beans) {
        return new IdempotentBeanPostProcessor(() -> new IdempotentPlans(beans));
    }
}
