package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.retry.RetryVerdict;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.retry.ConsistencyDowngradingRetryPolicy;
import com.datastax.oss.driver.internal.core.retry.DefaultRetryPolicy;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.NeverRetryPolicy;
import io.surewrite.lease.WithLease;
import io.surewrite.overwrite.Overwriting;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.UniqueBy;
import java.net.InetSocketAddress;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** A retry policy of the driver that loses sure writes is refused where they are made, and warned of elsewhere. */
@ExtendWith(OutputCaptureExtension.class)
class WeakPoliciesIntegrationTests extends CassandraTest {

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE policy_note (id uuid PRIMARY KEY, text text)");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ConsistencyDowngradingRetryPolicy.class,
                IgnoresLateTimeouts.class,
                IgnoresFailures.class,
                WeakReads.class
            })
    void isRefusedWithAnIdempotentMethod(Class<?> policy) {
        with(policy).withUserConfiguration(Retried.class).run(WeakPoliciesIntegrationTests::isRefused);
        with(policy).withBean(RetriedBean.class).run(WeakPoliciesIntegrationTests::isRefused);
    }

    @ParameterizedTest
    @ValueSource(classes = {Unique.class, Overwritten.class, Retried.class})
    void isRefusedWithRepositoriesThatMakeSureWrites(Class<?> repositories) {
        with(ConsistencyDowngradingRetryPolicy.class)
                .withUserConfiguration(repositories)
                .run(WeakPoliciesIntegrationTests::isRefused);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {DefaultRetryPolicy.class, NeverRetryPolicy.class, Careful.class, IgnoresWhatMayGetLost.class})
    void isNoMatterWhereItIsSure(Class<?> policy, CapturedOutput output) {
        with(policy).withUserConfiguration(Retried.class, Unique.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).doesNotContain("The retry policy");
        });
    }

    @Test
    void isWarnedOfWhereNothingIsSure(CapturedOutput output) {
        with(ConsistencyDowngradingRetryPolicy.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .containsOnlyOnce("The retry policy " + ConsistencyDowngradingRetryPolicy.class.getName()
                            + " of the driver's profile 'default' repeats statements at a weaker level");
        });
    }

    /** Leases have a policy of their own, which a session of the plain driver lacks. */
    @Test
    void isRefusedWithLeasesOfAPlainSessionOnly() {
        with(ConsistencyDowngradingRetryPolicy.class)
                .withBean(LeasedBean.class)
                .run(context -> assertThat(context).hasNotFailed());
        application()
                .withBean(LeasedBean.class)
                .withBean(CqlSession.class, WeakPoliciesIntegrationTests::plain)
                .run(WeakPoliciesIntegrationTests::isRefused);
    }

    private static CqlSession plain() {
        return CqlSession.builder()
                .addContactPoint((InetSocketAddress) session.getMetadata()
                        .getNodes()
                        .values()
                        .iterator()
                        .next()
                        .getEndPoint()
                        .resolve())
                .withLocalDatacenter(session.getMetadata()
                        .getNodes()
                        .values()
                        .iterator()
                        .next()
                        .getDatacenter())
                .withKeyspace(keyspace.name())
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, IgnoresFailures.class)
                        .build())
                .build();
    }

    /** A statement names its profile when it is sent: the start does not know which. */
    @ParameterizedTest
    @ValueSource(classes = {Retried.class, Unique.class, Overwritten.class})
    void isRefusedInAProfileThatStatementsMayName(Class<?> repositories) {
        careless("careless")
                .withUserConfiguration(repositories)
                .run(context -> isRefused(context, "of the driver's profile 'careless' reports statements as done"));
    }

    @Test
    void isWarnedOfInAProfileWhereNothingIsSureButLeases(CapturedOutput output) {
        careless("careless").withBean(LeasedBean.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).contains("of the driver's profile 'careless' reports statements as done");
        });
    }

    @Test
    void isRefusedInTheProfileOfConditionalWrites() {
        careless(ConditionalWrites.PROFILE)
                .withBean(LeasedBean.class)
                .run(context -> isRefused(context, "of the driver's profile 'surewrite-conditional' reports"));
    }

    private static ApplicationContextRunner careless(String profile) {
        return application()
                .withBean(
                        DriverConfigLoaderBuilderCustomizer.class,
                        () -> builder -> builder.startProfile(profile)
                                .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, IgnoresFailures.class)
                                .endProfile());
    }

    private static ApplicationContextRunner with(Class<?> policy) {
        return application()
                .withBean(
                        DriverConfigLoaderBuilderCustomizer.class,
                        () -> builder -> builder.withClass(DefaultDriverOption.RETRY_POLICY_CLASS, policy));
    }

    private static void isRefused(AssertableApplicationContext context) {
        isRefused(context, "The retry policy ");
    }

    private static void isRefused(AssertableApplicationContext context, String problem) {
        assertThat(context).hasFailed();
        assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                .hasMessageContaining(problem)
                .hasMessageContaining("Fix: set advanced.retry-policy.class = DefaultRetryPolicy");
    }

    @Table("policy_note")
    record Note(@PrimaryKey UUID id, String text) {}

    interface RetriedPolicyNotes extends CassandraRepository<Note, UUID> {

        @Override
        @Idempotent
        <S extends Note> S save(S note);
    }

    @UniqueBy("text")
    interface UniquePolicyNotes extends CassandraRepository<Note, UUID> {}

    @Overwriting
    interface OverwrittenPolicyNotes extends CassandraRepository<Note, UUID> {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = RetriedPolicyNotes.class))
    static class Retried {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = UniquePolicyNotes.class))
    static class Unique {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = OverwrittenPolicyNotes.class))
    static class Overwritten {}

    static class RetriedBean {

        @Idempotent
        public void write() {}
    }

    static class LeasedBean {

        @WithLease("policy")
        public void work() {}
    }

    /** One of a company's, which logs for example. */
    public static class Careful extends DefaultRetryPolicy {

        public Careful(DriverContext context, String profileName) {
            super(context, profileName);
        }
    }

    /** Calls done what failed at a level at which it may get lost. */
    public static class IgnoresWhatMayGetLost extends DefaultRetryPolicy {

        public IgnoresWhatMayGetLost(DriverContext context, String profileName) {
            super(context, profileName);
        }

        @Override
        public RetryVerdict onWriteTimeoutVerdict(
                Request request, ConsistencyLevel level, WriteType type, int blockFor, int received, int retries) {
            return level == ConsistencyLevel.LOCAL_ONE
                    ? RetryVerdict.IGNORE
                    : super.onWriteTimeoutVerdict(request, level, type, blockFor, received, retries);
        }
    }

    /** Gives up in the end, and calls it done. */
    public static class IgnoresLateTimeouts extends DefaultRetryPolicy {

        public IgnoresLateTimeouts(DriverContext context, String profileName) {
            super(context, profileName);
        }

        @Override
        public RetryVerdict onWriteTimeoutVerdict(
                Request request, ConsistencyLevel level, WriteType type, int blockFor, int received, int retries) {
            return retries > 1 && received > 0 ? RetryVerdict.IGNORE : RetryVerdict.RETRY_SAME;
        }
    }

    /** Calls done what a replica has refused. */
    public static class IgnoresFailures extends DefaultRetryPolicy {

        public IgnoresFailures(DriverContext context, String profileName) {
            super(context, profileName);
        }

        @Override
        public RetryVerdict onErrorResponseVerdict(Request request, CoordinatorException error, int retries) {
            return error instanceof WriteFailureException
                    ? RetryVerdict.IGNORE
                    : super.onErrorResponseVerdict(request, error, retries);
        }
    }

    /** Reads what one replica has, rather than nothing. */
    public static class WeakReads extends DefaultRetryPolicy {

        private final RetryVerdict ofOne;

        public WeakReads(DriverContext context, String profileName) {
            super(context, profileName);
            this.ofOne = new ConsistencyDowngradingRetryPolicy(context, profileName)
                    .onReadTimeoutVerdict(
                            SimpleStatement.newInstance("SELECT"), ConsistencyLevel.QUORUM, 2, 1, false, 0);
        }

        @Override
        public RetryVerdict onReadTimeoutVerdict(
                Request request, ConsistencyLevel level, int blockFor, int received, boolean present, int retries) {
            return received == 1 ? ofOne : RetryVerdict.RETHROW;
        }
    }
}
