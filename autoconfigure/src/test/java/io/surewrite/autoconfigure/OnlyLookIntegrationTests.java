package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import com.datastax.oss.driver.internal.core.retry.ConsistencyDowngradingRetryPolicy;
import com.datastax.oss.driver.internal.core.specex.ConstantSpeculativeExecutionPolicy;
import com.example.SessionUser;
import io.surewrite.autoconfigure.StartReport.StartReportEndpoint;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.lease.WithLease.WhenHeld;
import io.surewrite.overwrite.Overwriting;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.test.SeveralKeyspaces;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.SureSessionBuilder;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.cassandra.autoconfigure.CqlSessionBuilderCustomizer;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;

/** With surewrite.start=report an application starts whatever is wrong, learns all of it, and is plain Spring Data. */
@SeveralKeyspaces
@ExtendWith(OutputCaptureExtension.class)
class OnlyLookIntegrationTests extends CassandraTest {

    private static final String TWO_COPIES = "only_look_two_copies";

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE account (id uuid PRIMARY KEY, email text)");
        session.execute("CREATE TABLE cart (id uuid PRIMARY KEY, items list<text>)");
        session.execute("CREATE TABLE counted (id uuid PRIMARY KEY, email text, version bigint)");
        session.execute("CREATE TABLE visit (page text PRIMARY KEY, n counter)");
        session.execute("CREATE KEYSPACE IF NOT EXISTS " + TWO_COPIES
                + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}");
        session.execute("CREATE TABLE IF NOT EXISTS " + TWO_COPIES + ".copied (id uuid PRIMARY KEY, email text)");
    }

    /** What is wrong, and words of what is said of it. */
    static Stream<Arguments> reasons() {
        return Stream.of(
                arguments(Accounts.class, "@UniqueBy on Accounts: it names 'emial'"),
                arguments(Baskets.class, "Baskets saves by overwriting, which is refused: Column items"),
                arguments(Carts.class, "'items': overwriting a non-frozen list twice"),
                arguments(Events.class, "'uuid' (line 1, column 41): the server computes it anew"),
                arguments(Conditions.class, "a condition may find its own earlier attempt"),
                arguments(Visits.class, "every attempt counts again"),
                arguments(Versions.class, "Counted has a @Version"),
                arguments(Nightly.class, "@WithLease on Nightly.deleteAll: Lease setting refused"),
                arguments(Deletions.class, "deletes rows by its name, without looking at them"),
                arguments(Plain.class, "'now' (line 1, column 41)"),
                arguments(Mixed.class, "Mixed.addOnce), whose time is the servers', and by writes that would be sure"),
                arguments(Copies.class, "keyspace " + TWO_COPIES + " keeps two replicas"),
                arguments(BadJob.class, "@WithLease on BadJob.run: a call that is skipped has no String to return"),
                arguments(FinalJob.class, "it is final, so that the proxy, which is a subclass, does not intercept it"),
                arguments(SessionUser.class, "is given the session 'cassandraSession' itself"),
                arguments(Downgrading.class, "The retry policy " + ConsistencyDowngradingRetryPolicy.class.getName()),
                arguments(Speculating.class, "ConstantSpeculativeExecutionPolicy: the driver may run a write again"),
                arguments(WeakLevel.class, "Levels that allow it: LOCAL_ONE"));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    @LongLane // One context says all of it at once, too.
    void startsAndSaysWhatIsWrong(Class<?> wrong, String said) {
        with(application(), wrong).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(StartReportEndpoint.class).findings()).anySatisfy(finding -> {
                assertThat(finding.problem()).contains(said);
                assertThat(finding.fix()).isNotBlank();
            });
        });
    }

    @Test
    void saysAllOfItAtOnceAndDoesNothing(CapturedOutput output) {
        Sent sent = new Sent();
        ApplicationContextRunner application = application()
                .withBean(CqlSessionBuilderCustomizer.class, () -> builder -> builder.addRequestTracker(sent));
        for (Object[] reason : reasons().map(Arguments::get).toList()) {
            application = with(application, (Class<?>) reason[0]);
        }
        List<String> tables = tables();
        application.run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(LeaseLocks.class);
            String all =
                    String.valueOf(context.getBean(StartReportEndpoint.class).findings());
            reasons().forEach(reason -> {
                assertThat(all).contains((String) reason.get()[1]);
                assertThat(output.getOut().split(Pattern.quote((String) reason.get()[1]), -1))
                        .hasSizeGreaterThan(1);
            });
            assertThat(output.getOut().split("surewrite.start=report: Surewrite has looked", -1))
                    .hasSize(2);

            CqlSession own = context.getBean(CqlSession.class);
            assertThat(SureSessionBuilder.built(own)).isFalse();
            assertThat(AopUtils.isAopProxy(context.getBean(FinalJob.class))).isFalse();
            assertThat(String.valueOf(List.of(((Advised) context.getBean(Carts.class)).getAdvisors())))
                    .doesNotContain("surewrite");
            context.getBean(Carts.class).save(new Cart(UUID.randomUUID(), List.of("same")));
            context.getBean(Accounts.class).save(new Account(UUID.randomUUID(), "same"));
            context.getBean(Accounts.class).save(new Account(UUID.randomUUID(), "same"));
            await().untilAsserted(() -> assertThat(sent.texts).hasSize(3));
            assertThat(sent.texts)
                    .containsExactly(
                            "INSERT INTO cart (id,items) VALUES (?,?)",
                            "INSERT INTO account (id,email) VALUES (?,?)",
                            "INSERT INTO account (id,email) VALUES (?,?)");
        });
        assertThat(tables()).isEqualTo(tables);
    }

    @Test
    void saysNothingOfWhatIsRight() {
        with(application(), Right.class).run(context -> {
            assertThat(context).hasNotFailed();
            // The server of tests keeps writes in memory only.
            assertThat(context.getBean(StartReportEndpoint.class).findings())
                    .singleElement()
                    .asString()
                    .contains("has durable_writes = false");
        });
    }

    protected static ApplicationContextRunner application() {
        return CassandraTest.application()
                .withPropertyValues("surewrite.start=report", "management.endpoints.web.exposure.include=*");
    }

    private static List<String> tables() {
        return session.execute("SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?", keyspace.name())
                .map(row -> row.getString(0))
                .all();
    }

    /** A repository, a bean, or a configuration. */
    private static ApplicationContextRunner with(ApplicationContextRunner application, Class<?> wrong) {
        if (!wrong.isInterface()) {
            return application.withUserConfiguration(wrong);
        }
        return OwnServer.with(wrong, application);
    }

    private static final class Sent implements RequestTracker {

        private final List<String> texts = new CopyOnWriteArrayList<>();

        @Override
        public void onSuccess(Request request, long nanos, DriverExecutionProfile profile, Node node, String prefix) {
            texts.add(
                    request instanceof SimpleStatement simple
                            ? simple.getQuery()
                            : ((BoundStatement) request).getPreparedStatement().getQuery());
        }

        @Override
        public void close() {}
    }

    @Table("account")
    record Account(@Id UUID id, String email) {}

    @Table("cart")
    record Cart(@Id UUID id, List<String> items) {}

    @Table("counted")
    record Counted(@Id UUID id, String email, @Version Long version) {}

    @Table(value = "copied", keyspace = TWO_COPIES)
    record Copied(@Id UUID id, String email) {}

    @UniqueBy("emial")
    interface Accounts extends CassandraRepository<Account, UUID> {}

    @Overwriting
    interface Baskets extends CassandraRepository<Cart, UUID> {}

    @Idempotent
    interface Carts extends CassandraRepository<Cart, UUID> {}

    interface Events extends CassandraRepository<Account, UUID> {
        @Idempotent
        @Query("INSERT INTO account (id, email) VALUES (uuid(), ?0)")
        void add(String email);
    }

    interface Conditions extends CassandraRepository<Account, UUID> {
        @Idempotent
        @Query("INSERT INTO account (id, email) VALUES (?0, ?1) IF NOT EXISTS")
        void addOnce(UUID id, String email);
    }

    interface Visits extends CassandraRepository<Account, UUID> {
        @Idempotent
        @Query("UPDATE visit SET n = n + 1 WHERE page = ?0")
        void count(String page);
    }

    @UniqueBy("email")
    interface Versions extends CassandraRepository<Counted, UUID> {}

    interface Nightly extends CassandraRepository<Account, UUID> {
        @WithLease(key = "'nightly'", ttl = "300ms")
        @Override
        void deleteAll();
    }

    @UniqueBy("email")
    interface Deletions extends CassandraRepository<Account, UUID> {
        void deleteByEmail(String email);
    }

    /** Nothing is annotated. */
    interface Plain extends CassandraRepository<Account, UUID> {
        @Query("INSERT INTO account (id, email) VALUES (now(), ?0)")
        void add(String email);
    }

    /** Nothing is annotated. */
    interface Mixed extends CassandraRepository<Account, UUID> {
        @Query("INSERT INTO account (id, email) VALUES (?0, ?1) IF NOT EXISTS")
        void addOnce(UUID id, String email);
    }

    interface Copies extends CassandraRepository<Copied, UUID> {}

    @UniqueBy("email")
    @Idempotent
    interface Right extends CassandraRepository<Account, UUID> {}

    static class BadJob {
        @WithLease(key = "'bad'", whenHeld = WhenHeld.SKIP)
        public String run() {
            return "";
        }
    }

    static class FinalJob {
        @Idempotent
        public final void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Downgrading {
        @Bean
        DriverConfigLoaderBuilderCustomizer downgrading() {
            return config ->
                    config.withClass(DefaultDriverOption.RETRY_POLICY_CLASS, ConsistencyDowngradingRetryPolicy.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Speculating {
        @Bean
        DriverConfigLoaderBuilderCustomizer speculating() {
            return config -> config.startProfile("surewrite-conditional")
                    .withClass(
                            DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                            ConstantSpeculativeExecutionPolicy.class)
                    .withDuration(DefaultDriverOption.SPECULATIVE_EXECUTION_DELAY, Duration.ofSeconds(1))
                    .withInt(DefaultDriverOption.SPECULATIVE_EXECUTION_MAX, 2)
                    .endProfile();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WeakLevel {
        @Bean
        DriverConfigLoaderBuilderCustomizer weak() {
            return config -> config.withString(DefaultDriverOption.REQUEST_CONSISTENCY, "LOCAL_ONE");
        }
    }
}
