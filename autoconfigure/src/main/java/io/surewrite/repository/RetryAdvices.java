package io.surewrite.repository;

import io.surewrite.cql.analysis.IdempotenceCheck;
import io.surewrite.retry.ids.ClientSideIds;
import io.surewrite.schema.TablesInUse;
import java.lang.reflect.Method;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/** Puts the retry together, for the auto-configuration. */
public final class RetryAdvices {

    private RetryAdvices() {}

    /**
     * The retry around repository methods.
     *
     * @param beans where the templates are, and what resolves placeholders
     * @param check decides what may be retried
     * @param ids gives entities their ids before the first attempt, or null to leave that to the user
     * @param planned called for each method that will be retried
     * @param tables hears of the tables that the methods write
     * @return the advice, the outermost of all
     */
    public static RepositoryMethodAdvice ofRepositories(
            ConfigurableBeanFactory beans,
            IdempotenceCheck check,
            @Nullable ClientSideIds ids,
            Runnable planned,
            TablesInUse tables) {
        return new IdempotentRepositoryAdvice(
                new IdempotentPlans(beans, method -> planned.run()), check, new EntityArguments(ids), tables);
    }

    /**
     * The retry around the methods of other beans.
     *
     * @param beans where the templates are, and what resolves placeholders
     * @param planned hears of each method that will be retried
     * @return adds the retry to the beans; its declared type says that it is ordered
     */
    public static AbstractBeanFactoryAwareAdvisingPostProcessor ofBeans(
            ConfigurableBeanFactory beans, Consumer<Method> planned) {
        return new IdempotentBeanPostProcessor(new IdempotentPlans(beans, planned));
    }
}
