package io.surewrite.repository;

import io.surewrite.cql.analysis.IdempotenceCheck;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.retry.ids.ClientSideIds;
import io.surewrite.schema.tables.TablesInUse;
import io.surewrite.session.SureSession;
import io.surewrite.unique.UniqueScanSettings;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.ApplicationContext;

/** What the features put around methods of repositories, and of other beans. */
public final class RepositoryAdvices {

    /** The type of {@code #root} in the key of a lease, which expressions read by reflection. */
    public static final String LEASE_KEY_ROOT = LeaseKey.Root.class.getName();

    private RepositoryAdvices() {}

    /**
     * The leases around repository methods.
     *
     * @param locks where leases come from, asked once there is a method that needs them
     * @param placeholders resolves <code>${...}</code> in the annotation
     * @return the advice
     */
    public static RepositoryMethodAdvice leases(
            Supplier<LeaseLocks> locks, UnaryOperator<@Nullable String> placeholders) {
        return new LeasedMethod.OfRepositories(locks, placeholders, new AtomicBoolean());
    }

    /**
     * The leases around the methods of other beans.
     *
     * @param locks where leases come from, asked once there is a bean that needs them
     * @param placeholders resolves <code>${...}</code> in the annotation
     * @return adds the leases to the beans; its declared type says that it is ordered
     */
    public static AbstractBeanFactoryAwareAdvisingPostProcessor leasesOfBeans(
            Supplier<LeaseLocks> locks, UnaryOperator<@Nullable String> placeholders) {
        return new LeasedMethod.OfBeans(locks, placeholders);
    }

    /**
     * Refuses saves that would write one row twice with one timestamp.
     *
     * @param savesOverwrite whether {@code save} overwrites where the repository does not say
     * @return the advice
     */
    public static RepositoryMethodAdvice savedRows(BooleanSupplier savesOverwrite) {
        return new SavedRowsAdvice(savesOverwrite);
    }

    /**
     * The retry around repository methods.
     *
     * @param beans where the templates are, and what resolves placeholders
     * @param check decides what may be retried
     * @param ids gives entities their ids before the first attempt, or null to leave that to the user
     * @param planned called for each method that will be retried
     * @param tables records the tables that the methods write
     * @return the advice
     */
    public static RepositoryMethodAdvice retries(
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
     * @param planned called with each method that will be retried
     * @return adds the retry to the beans; its declared type says that it is ordered
     */
    public static AbstractBeanFactoryAwareAdvisingPostProcessor retriesOfBeans(
            ConfigurableBeanFactory beans, Consumer<Method> planned) {
        return new IdempotentPlans.OfBeans(new IdempotentPlans(beans, planned));
    }

    /**
     * Guards the writes of repositories with {@link io.surewrite.unique.UniqueBy}.
     *
     * @param context has beans that normalise, and callbacks
     * @param strict whether methods that write past the guard are refused
     * @param truncates whether {@code deleteAll()} truncates, for tests
     * @param scans how {@code deleteAll()} looks at tables otherwise
     * @param savesOverwrite whether {@code save} overwrites where the repository does not say
     * @param tables records the tables
     * @return the advice
     */
    public static RepositoryMethodAdvice uniqueValues(
            ApplicationContext context,
            boolean strict,
            boolean truncates,
            UniqueScanSettings scans,
            BooleanSupplier savesOverwrite,
            TablesInUse tables) {
        return new UniqueRepositoryAdvice(context, strict, truncates, scans, savesOverwrite, tables);
    }

    /**
     * Sees which entities repositories write.
     *
     * @param written called with what belongs to a repository that writes, and the type of its entities
     * @return the advice, which puts nothing around anything
     */
    public static RepositoryMethodAdvice writtenTables(BiConsumer<SureSession, Class<?>> written) {
        return new WrittenTablesAdvice(written);
    }

    /**
     * Lets repositories that make sure writes read at the level of such writes.
     *
     * @param majority whether levels are Surewrite's to choose at all
     * @param savesOverwrite whether {@code save} overwrites where the repository does not say
     * @param weakChoices called with methods that choose a level which one replica satisfies
     * @return the advice
     */
    public static RepositoryMethodAdvice sureReads(
            boolean majority, BooleanSupplier savesOverwrite, Consumer<String> weakChoices) {
        return new SureReadAdvice(majority, savesOverwrite, weakChoices);
    }
}
