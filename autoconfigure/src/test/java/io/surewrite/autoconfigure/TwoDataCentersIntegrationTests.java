package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.embedded.CassandraNode;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.test.OwnServer;
import io.surewrite.testsupport.Nightly;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.InvalidConfigurationException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.core.cql.QueryOptions;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;

/** What docs/data-centres.md says, on two data centres: the majority of all replicas is in the first. */
@Nightly // It starts a cluster of its own, and waits until its nodes notice what happens to the link.
class TwoDataCentersIntegrationTests {

    private static final String KEYSPACE = "two";
    private static final String FIRST = "dc1";
    private static final String SECOND = "dc2";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String LOCAL = "surewrite.conditional.serial-consistency=local-serial";

    private static final String NO_GUARD = "surewrite.unique.enabled=false";

    private static EmbeddedCassandra cluster;
    private static CqlSession session;

    private final String prefix =
            "p" + UUID.randomUUID().toString().replace("-", "").substring(0, 12) + "_";

    @Table("person")
    record Person(@PrimaryKey UUID id, String login) {}

    @UniqueBy("login")
    interface People extends CassandraRepository<Person, UUID> {}

    @Table("seat")
    record Seat(@PrimaryKey String id, String holder) {}

    interface Seats extends CassandraRepository<Seat, String> {

        @Query("INSERT INTO seat (id, holder) VALUES (?0, ?1) IF NOT EXISTS")
        ResultSet take(String id, String holder, QueryOptions options);
    }

    @BeforeAll
    static void start() {
        cluster = EmbeddedCassandra.builder()
                .dataCenter(FIRST, 2)
                .dataCenter(SECOND, 1)
                .heapMegabytes(384)
                .start();
        cluster.createKeyspace(KEYSPACE);
        session = CqlSession.builder()
                .addContactPoint(cluster.contactPoint())
                .withLocalDatacenter(FIRST)
                .withKeyspace(KEYSPACE)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                        .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "QUORUM")
                        .build())
                .build();
        session.execute("CREATE TABLE person (id uuid PRIMARY KEY, login text)");
        session.execute("CREATE TABLE seat (id text PRIMARY KEY, holder text)");
    }

    @AfterEach
    void heal() {
        cluster.restoreLink(FIRST, SECOND);
        cluster.awaitMembers(PATIENCE);
    }

    @AfterAll
    static void stop() {
        session.close();
        cluster.close();
    }

    private ApplicationContextRunner in(String dataCenter) {
        CassandraNode node = cluster.nodesOf(dataCenter).get(0);
        return OwnServer.with(
                        People.class,
                        OwnServer.application(cluster, KEYSPACE)
                                .withPropertyValues(
                                        "spring.cassandra.contact-points="
                                                + node.address().getAddress().getHostAddress() + ":"
                                                + node.address().getPort(),
                                        "spring.cassandra.local-datacenter=" + dataCenter,
                                        "surewrite.schema.table-prefix=" + prefix))
                .withPropertyValues("surewrite.lease.ttl=4s", "surewrite.conditional.attempt-timeout=3s");
    }

    /** What of both features the start is refused for. */
    private static @Nullable Throwable refusal(AssertableApplicationContext context) {
        Throwable failure = context.getStartupFailure();
        if (failure == null) {
            try {
                context.getBean(LeaseLocks.class);
            } catch (RuntimeException refused) {
                failure = refused;
            }
        }
        return failure == null ? null : NestedExceptionUtils.getMostSpecificCause(failure);
    }

    private @Nullable Throwable refusalOf(ApplicationContextRunner application) {
        Throwable[] refusal = new Throwable[1];
        application.run(context -> refusal[0] = refusal(context));
        return refusal[0];
    }

    private static void set(String statement) {
        session.execute(SimpleStatement.newInstance(statement).setSerialConsistencyLevel(ConsistencyLevel.SERIAL));
    }

    private @Nullable String home() {
        Row row = session.execute(
                        "SELECT holder FROM %slease WHERE name = 'surewrite:serial-consistency'".formatted(prefix))
                .one();
        return row == null ? null : row.getString("holder");
    }

    @Test
    void atLocalSerialOneDataCentreDecidesUntilItsTablesAreMoved() {
        assertThat(refusalOf(in(FIRST).withPropertyValues(LOCAL))).isNull();
        assertThat(refusalOf(in(FIRST).withPropertyValues(LOCAL))).isNull();
        ApplicationContextRunner other = in(SECOND).withPropertyValues(LOCAL);
        assertThat(refusalOf(other)).isInstanceOfSatisfying(InvalidConfigurationException.class, refused -> {
            assertThat(refused).hasMessageContaining("claim are decided in data centre dc1 alone");
            set(statementOf(refused)); // that of the claims, which are asked for first
        });
        assertThat(refusalOf(other)).isInstanceOfSatisfying(InvalidConfigurationException.class, refused -> {
            assertThat(refused).hasMessageContaining("lease are decided in data centre dc1 alone");
            set(statementOf(refused));
        });
        assertThat(refusalOf(other)).isNull();
        assertThat(refusalOf(in(FIRST).withPropertyValues(LOCAL))).isInstanceOf(InvalidConfigurationException.class);
    }

    private static String statementOf(InvalidConfigurationException refused) {
        return refused.fix()
                .lines()
                .filter(line -> line.startsWith("UPDATE"))
                .findFirst()
                .orElseThrow()
                .replace(";", "");
    }

    @RepeatedTest(3)
    void ofTwoThatComeFirstAtOnceOneWins() {
        assertThat(refusalOf(in(FIRST).withPropertyValues(LOCAL))).isNull();
        set("DELETE FROM %slease WHERE name = 'surewrite:serial-consistency' IF EXISTS".formatted(prefix));
        // Decided locally, both would be through before either could hear of the other.
        cluster.slowLink(FIRST, SECOND, Duration.ofMillis(250));
        in(FIRST)
                .withPropertyValues(LOCAL, "surewrite.conditional.attempt-timeout=20s")
                .run(one -> in(SECOND)
                        .withPropertyValues(LOCAL, "surewrite.conditional.attempt-timeout=20s", NO_GUARD)
                        .run(other -> {
                            ExecutorService both = Executors.newFixedThreadPool(2);
                            try {
                                Future<Throwable> first = both.submit(() -> refusal(one));
                                Future<Throwable> second = both.submit(() -> refusal(other));
                                assertThat(Stream.of(first.get(), second.get()).filter(Objects::nonNull))
                                        .singleElement()
                                        .isInstanceOf(InvalidConfigurationException.class);
                                assertThat(home())
                                        .isEqualTo("LOCAL_SERIAL in " + (first.get() == null ? FIRST : SECOND));
                            } finally {
                                both.shutdownNow();
                            }
                        }));
    }

    @Test
    void aHomeWithoutAMajorityOfAllGoesOnAndTheOtherStaysRefused() {
        ApplicationContextRunner home = in(SECOND).withPropertyValues(LOCAL);
        assertThat(refusalOf(home)).isNull();
        cluster.cutLink(FIRST, SECOND);
        home.run(context -> {
            assertThat(tokenOf(context.getBean(LeaseLocks.class))).isPositive();
            Person ada = new Person(UUID.randomUUID(), "ada");
            context.getBean(People.class).insert(ada);
            assertThatExceptionOfType(DuplicateValueException.class)
                    .isThrownBy(() -> context.getBean(People.class).insert(new Person(UUID.randomUUID(), "ada")));
            context.getBean(People.class).delete(ada);
        });
        assertThat(refusalOf(in(FIRST).withPropertyValues(LOCAL)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("dc2 alone");
    }

    /** The profile's level counts where a statement names it; otherwise the driver's own, which is SERIAL. */
    @ParameterizedTest
    @CsvSource({"serial, false, false", "serial, true, false", "local-serial, false, false", "local-serial, true, true"
    })
    void whoDecidesAStatementOfYourOwnWithIf(String level, boolean inProfile, boolean eachAlone) {
        QueryOptions options = inProfile
                ? QueryOptions.builder()
                        .executionProfile(ConditionalWrites.PROFILE)
                        .build()
                : QueryOptions.empty();
        String seat = level + inProfile;
        seats(SECOND, level)
                .run(minority -> seats(FIRST, level).run(majority -> {
                    Seats here = majority.getBean(Seats.class);
                    Seats there = minority.getBean(Seats.class);
                    cluster.cutLink(FIRST, SECOND);
                    if (eachAlone) {
                        assertThat(isTaken(there, seat, SECOND, options)).isTrue();
                    } else {
                        assertThatThrownBy(() -> there.take(seat, SECOND, options))
                                .isInstanceOf(DataAccessException.class);
                    }
                    Awaitility.await()
                            .atMost(PATIENCE)
                            .ignoreExceptionsInstanceOf(DataAccessException.class)
                            .until(() -> isTaken(here, seat, FIRST, options));
                    cluster.restoreLink(FIRST, SECOND);
                    cluster.awaitMembers(PATIENCE);
                    Awaitility.await()
                            .atMost(PATIENCE)
                            .ignoreExceptionsInstanceOf(DataAccessException.class)
                            .until(() -> !there.take(seat, "late", options).wasApplied());
                    assertThat(holder(seat)).isEqualTo(FIRST); // of two that heard yes, the later one
                }));
    }

    private ApplicationContextRunner seats(String dataCenter, String level) {
        return OwnServer.with(Seats.class, in(dataCenter))
                .withPropertyValues(NO_GUARD, "surewrite.conditional.serial-consistency=" + level);
    }

    /** Whoever repeats a statement with an unknown outcome may be refused because of its own row. */
    private static boolean isTaken(Seats seats, String seat, String holder, QueryOptions options) {
        ResultSet answer = seats.take(seat, holder, options);
        return answer.wasApplied()
                || holder.equals(Objects.requireNonNull(answer.one()).getString("holder"));
    }

    private static @Nullable String holder(String seat) {
        Row row = session.execute("SELECT holder FROM seat WHERE id = ?", seat).one();
        return row == null ? null : row.getString("holder");
    }

    private static long tokenOf(LeaseLocks locks) throws InterruptedException {
        try (Lease lease = locks.acquire("import", PATIENCE)) {
            return lease.token();
        }
    }

    /** The driver goes to the other data centre where the level lets it. */
    @Test
    void theDriverMayFailOverWhereAllDecideTogether() {
        ApplicationContextRunner failingOver = in(SECOND)
                .withBean(
                        DriverConfigLoaderBuilderCustomizer.class,
                        () -> builder -> builder.withInt(
                                        DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 2)
                                .startProfile(ConditionalWrites.PROFILE)
                                .withInt(DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 2)
                                .endProfile());
        // The driver asks the level of the default profile, whose policy that of conditional writes shares.
        failingOver
                .withPropertyValues("spring.cassandra.request.consistency=quorum")
                .run(context -> {
                    LeaseLocks locks = context.getBean(LeaseLocks.class);
                    CassandraNode only = cluster.nodesOf(SECOND).get(0);
                    long before = tokenOf(locks);
                    only.kill();
                    try {
                        assertThat(tokenOf(locks)).isGreaterThan(before);
                    } finally {
                        only.restart();
                    }
                });
    }
}
