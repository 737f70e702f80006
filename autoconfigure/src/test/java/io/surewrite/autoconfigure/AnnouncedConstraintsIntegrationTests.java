package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.schema.tables.TablesInUse;
import io.surewrite.schema.tables.TablesInUse.Finding;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.unique.InvalidConstraintException;
import io.surewrite.unique.TrustedWrite;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.catalog.AnnouncedConstraints;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.repository.Repository;

/** A process with a constraint beside one that does not have it. */
@ExtendWith(OutputCaptureExtension.class)
class AnnouncedConstraintsIntegrationTests extends CassandraTest {

    private static final String MISSING = "has the unique constraints visitor-login in other processes";
    private static final String PAST = "is written past its unique constraints by the process";

    @BeforeEach
    void forget() {
        session.execute("CREATE TABLE IF NOT EXISTS visitor (id uuid PRIMARY KEY, login text, email text)");
        session.execute("DROP TABLE IF EXISTS surewrite_claim");
    }

    private static ApplicationContextRunner process(Class<?> repository) {
        return OwnServer.with(repository, application()).withPropertyValues("surewrite.unique.announce-every=1s");
    }

    private static List<String> problems(ApplicationContext context) {
        return context.getBean(TablesInUse.class).findings().stream()
                .filter(finding -> finding.subject().endsWith(".visitor"))
                .map(Finding::problem)
                .toList();
    }

    private static void awaitProblem(ApplicationContext context, String text) {
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(problems(context)).singleElement().asString().contains(text));
    }

    private static void awaitNoProblem(ApplicationContext context) {
        Awaitility.await().untilAsserted(() -> assertThat(problems(context)).isEmpty());
    }

    @Test
    void bothHearOfEachOtherAndThatTheOldOneHasEnded() {
        process(WithLogin.class).run(present -> {
            awaitAnnounced("visitor-login");
            process(Without.class).run(old -> {
                awaitProblem(old, MISSING);
                awaitProblem(present, PAST);
                assertThat(problems(present)).singleElement().asString().contains("without visitor-login");
            });
            awaitNoProblem(present);
        });
    }

    /** Where those look who run it. */
    @Test
    void theLogAndTheHealthOfBothSayIt(CapturedOutput output) {
        process(WithLogin.class).run(present -> {
            awaitAnnounced("visitor-login");
            assertThat(health(present)).isEqualTo("UP");
            process(Without.class).run(old -> {
                Awaitility.await().untilAsserted(() -> {
                    assertThat(health(old)).isEqualTo("DEGRADED");
                    assertThat(health(present)).isEqualTo("DEGRADED");
                    assertThat(output).contains(".visitor " + MISSING).contains(".visitor " + PAST);
                });
            });
            Awaitility.await().untilAsserted(() -> assertThat(output).contains("No more: table "));
            assertThat(health(present)).isEqualTo("UP");
        });
    }

    private static String health(ApplicationContext context) {
        return context.getBean("sureTablesHealthIndicator", HealthIndicator.class)
                .health()
                .getStatus()
                .getCode();
    }

    @Test
    void aRepositoryThatIsMadeLaterIsLookedAt() {
        process(WithLogin.class).run(present -> {
            awaitAnnounced("visitor-login");
            process(Without.class)
                    .withInitializer(old -> old.addBeanFactoryPostProcessor(
                            beans -> beans.getBeanDefinition("Without").setLazyInit(true)))
                    .run(old -> {
                        assertThat(problems(old)).isEmpty();
                        assertThat(old.getBean("Without", Without.class).count())
                                .isZero();
                        awaitProblem(old, MISSING);
                        awaitProblem(present, PAST);
                    });
        });
    }

    /** Two that start at once: neither takes the other's name away. */
    @Test
    void bothNamesStayWhereTwoAnnounceAtOnce() {
        process(WithEmail.class).run(one -> {
            awaitAnnounced("visitor-email");
            CqlSession shared = one.getBean(CqlSession.class);
            ConditionalWrites writes = one.getBean(ConditionalWrites.class);
            AtomicInteger reads = new AtomicInteger();
            CqlSession between = (CqlSession) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                        Object answer = method.invoke(shared, arguments);
                        if (method.getName().equals("execute") && reads.getAndIncrement() == 0) {
                            announced(shared, writes, "second").exchange(visitor(), Set.of("second"), true);
                        }
                        return answer;
                    });
            announced(between, writes, "first").exchange(visitor(), Set.of("first"), true);
            assertThat(announced(shared, writes, "third")
                            .exchange(visitor(), Set.of(), false)
                            .missing())
                    .containsExactly("first", "second", "visitor-email");
        });
    }

    private static AnnouncedConstraints announced(CqlSession on, ConditionalWrites writes, String process) {
        return new AnnouncedConstraints(
                on, writes, "surewrite_claim", Duration.ofSeconds(5), Duration.ofSeconds(3), process);
    }

    @Test
    void aProcessThatRunsHearsOfAConstraintThatComesLater() {
        process(WithEmail.class)
                .run(old -> process(WithLogin.class).run(present -> {
                    awaitProblem(old, MISSING);
                    awaitProblem(present, "has the unique constraints visitor-email in other processes");
                }));
    }

    @Test
    void strictlyItDoesNotStart() {
        process(WithLogin.class).run(present -> awaitAnnounced("visitor-login"));
        process(Without.class)
                .withPropertyValues("surewrite.unique.strict=true")
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                            .isInstanceOf(InvalidConstraintException.class)
                            .hasMessageContainingAll(MISSING, "Fix:");
                    assertThat(new SurewriteFailureAnalyzer(null).analyze(context.getStartupFailure()))
                            .isNotNull();
                });
        assertThat(session.execute(
                                "SELECT owner FROM surewrite_claim WHERE constraint_name = 'surewrite:unguarded'"
                                        + " AND value = ?",
                                visitor())
                        .one())
                .as("it has written nothing")
                .isNull();
    }

    private static String visitor() {
        return keyspace.name() + ".visitor";
    }

    @Test
    void aConstraintThatNoProcessHasAnyMoreIsForgottenByTheStatementThatIsSaid() {
        process(WithLogin.class).run(present -> awaitAnnounced("visitor-login"));
        process(Without.class).run(context -> {
            awaitProblem(context, MISSING);
            Matcher statement =
                    Pattern.compile("DELETE .*?;").matcher(problems(context).get(0));
            assertThat(statement.find()).isTrue();
            session.execute(statement.group());
            awaitNoProblem(context);
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Trusted.class, Reading.class, WithBoth.class})
    void whoWritesNothingPastItIsNotWarned(Class<?> repository) {
        process(WithLogin.class).run(present -> {
            awaitAnnounced("visitor-login");
            process(repository)
                    .run(other -> process(Without.class).run(old -> {
                        awaitProblem(old, "visitor-login"); // it has looked meanwhile, as often as the others
                        assertThat(problems(other)).noneMatch(problem -> problem.contains(MISSING));
                    }));
        });
    }

    @Test
    void whereThereAreNoUniqueValuesNothingIsMade() {
        process(Without.class)
                .withPropertyValues("surewrite.unique.strict=true")
                .run(context -> {
                    context.getBean(ConstraintWatch.class)
                            .afterSingletonsInstantiated(); // looks at once, as it is strict
                    assertThat(session.execute(
                                    "SELECT table_name FROM system_schema.tables WHERE keyspace_name = ? AND table_name = 'surewrite_claim'",
                                    keyspace.name()))
                            .isEmpty();
                    awaitNoProblem(context);
                });
    }

    private static void awaitAnnounced(String name) {
        Awaitility.await()
                .ignoreExceptions() // the table is made at the first use
                .untilAsserted(() -> assertThat(Optional.ofNullable(session.execute(
                                                "SELECT owner FROM surewrite_claim WHERE constraint_name = 'surewrite:constraints' AND value = ?",
                                                visitor())
                                        .one())
                                .map((Row row) -> row.getString("owner")))
                        .get()
                        .asString()
                        .contains(name));
    }

    @Table("visitor")
    record Visitor(
            @PrimaryKey UUID id, String login, @Nullable String email) {}

    @UniqueBy(value = "login", name = "visitor-login")
    interface WithLogin extends CassandraRepository<Visitor, UUID> {}

    @UniqueBy(value = "email", name = "visitor-email")
    interface WithEmail extends CassandraRepository<Visitor, UUID> {}

    @UniqueBy(value = "login", name = "visitor-login")
    @UniqueBy(value = "email", name = "visitor-email")
    interface WithBoth extends CassandraRepository<Visitor, UUID> {}

    interface Without extends CassandraRepository<Visitor, UUID> {}

    @TrustedWrite
    interface Trusted extends CassandraRepository<Visitor, UUID> {}

    interface Reading extends Repository<Visitor, UUID> {

        List<Visitor> findAll();

        @Query("SELECT * FROM visitor WHERE id = ?0")
        Visitor one(UUID id);
    }
}
