package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.retry.RetryVerdict;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.retry.ConsistencyDowngradingRetryPolicy;
import com.datastax.oss.driver.internal.core.retry.DefaultRetryPolicy;
import io.surewrite.internal.session.WeakPolicies;
import io.surewrite.lease.WithLease;
import io.surewrite.overwrite.Overwriting;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.NeverRetryPolicy;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** A retry policy of the driver that loses sure writes is refused where they are made, and warned of elsewhere. */
class WeakPoliciesIntegrationTests extends CassandraTest {

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE policy_note (id uuid PRIMARY KEY, text text)");
    }

    /** The policy of each profile is asked what it would do. */
    @Test
    void areTheOnesThatLoseWrites() {
        List<Class<?>> weak = List.of(
                ConsistencyDowngradingRetryPolicy.class,
                IgnoresLateTimeouts.class,
                IgnoresFailures.class,
                WeakReads.class);
        List<Class<?>> sure =
                List.of(DefaultRetryPolicy.class, NeverRetryPolicy.class, Careful.class, IgnoresWhatMayGetLost.class);
        ProgrammaticDriverConfigLoaderBuilder profiles = DriverConfigLoader.programmaticBuilder();
        Stream.of(weak, sure)
                .flatMap(List::stream)
                .forEach(policy -> profiles.startProfile(policy.getSimpleName())
                        .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, policy)
                        .endProfile());
        try (CqlSession asked = plain(profiles)) {
            assertThat(WeakPolicies.of(asked))
                    .containsOnlyKeys(weak.stream().map(Class::getSimpleName).toList());
        }
    }

    @Test
    void isRefusedWithRepositoriesThatMakeSureWrites() {
        for (Class<?> repository :
                List.of(RetriedPolicyNotes.class, UniquePolicyNotes.class, OverwrittenPolicyNotes.class)) {
            OwnServer.with(repository, with(ConsistencyDowngradingRetryPolicy.class))
                    .run(context -> isRefused(context, "The retry policy "));
        }
    }

    /** A statement names its profile when it is sent: the start does not know which. */
    @Test
    void isRefusedInAProfileThatStatementsMayName() {
        careless("careless")
                .withBean(RetriedBean.class)
                .run(context -> isRefused(context, "of the driver's profile 'careless' reports statements as done"));
    }

    @Test
    @LongLane
    void isRefusedInTheProfileOfConditionalWrites() {
        careless(ConditionalWrites.PROFILE)
                .withBean(LeasedBean.class)
                .run(context -> isRefused(context, "of the driver's profile 'surewrite-conditional' reports"));
    }

    @Test
    @LongLane
    void isRefusedWithLeasesOfAPlainSession() {
        application()
                .withBean(LeasedBean.class)
                .withBean(
                        CqlSession.class,
                        () -> plain(DriverConfigLoader.programmaticBuilder()
                                .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, IgnoresFailures.class)))
                .run(context -> isRefused(context, "The retry policy "));
    }

    private static CqlSession plain(ProgrammaticDriverConfigLoaderBuilder config) {
        return CqlSession.builder()
                .addContactPoint(keyspace.server().contactPoint())
                .withLocalDatacenter(keyspace.server().localDatacenter())
                .withKeyspace(keyspace.name())
                .withConfigLoader(config.build())
                .build();
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
