package io.surewrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.simulacron.common.cluster.AbstractNode;
import com.datastax.oss.simulacron.common.cluster.ClusterSpec;
import com.datastax.oss.simulacron.common.cluster.QueryLog;
import com.datastax.oss.simulacron.common.stubbing.Action;
import com.datastax.oss.simulacron.common.stubbing.Prime;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl.PrimeBuilder;
import com.datastax.oss.simulacron.common.stubbing.StubMapping;
import com.datastax.oss.simulacron.server.BoundCluster;
import com.datastax.oss.simulacron.server.Inet4Resolver;
import com.datastax.oss.simulacron.server.Server;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.NeverRetryPolicy;
import io.surewrite.write.SureSessionBuilder;
import io.surewrite.write.WriteTimestamps;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A server that speaks the native protocol, up to version 4, and answers what a test tells it to: for the failures a real one is shy of. */
public final class StubCassandra implements AutoCloseable {

    /** For what is to be answered, however busy the machine is. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** For tests with answers that never come. */
    private static final Duration IMPATIENCE = Duration.ofSeconds(1);

    private final Server server;
    private final BoundCluster cluster;

    public StubCassandra(int nodes) {
        this(ClusterSpec.builder().withNodes(nodes));
    }

    /** Starts another version of it, with one node. */
    public StubCassandra(String version) {
        this(ClusterSpec.builder().withNodes(1).withCassandraVersion(version));
    }

    private StubCassandra(ClusterSpec.Builder spec) {
        // Each on addresses of its own, so that builds on one machine do not meet.
        ThreadLocalRandom random = ThreadLocalRandom.current();
        byte[] first = {127, (byte) (1 + random.nextInt(100)), (byte) random.nextInt(250), 1};
        server = Server.builder()
                .withAddressResolver(new Inet4Resolver(first, 9042))
                .build();
        cluster = server.register(spec);
    }

    /** A session as the auto-configuration makes it. */
    public CqlSession session() {
        return session(UnaryOperator.identity());
    }

    public CqlSession session(UnaryOperator<ProgrammaticDriverConfigLoaderBuilder> more) {
        return SureSessionBuilder.from(builder(config -> more.apply(
                        config.withClass(DefaultDriverOption.TIMESTAMP_GENERATOR_CLASS, WriteTimestamps.class)
                                .startProfile(ConditionalWrites.PROFILE)
                                .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, NeverRetryPolicy.class)
                                .withString(DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY, "SERIAL")
                                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "QUORUM")
                                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                                .endProfile())))
                .build();
    }

    /** The configuration of a session that does not wait long for an answer. */
    public static ProgrammaticDriverConfigLoaderBuilder impatient(ProgrammaticDriverConfigLoaderBuilder config) {
        return config.withDuration(DefaultDriverOption.REQUEST_TIMEOUT, IMPATIENCE)
                .startProfile(ConditionalWrites.PROFILE)
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, IMPATIENCE)
                .endProfile();
    }

    /** A session as the driver makes it. */
    public CqlSession plainSession(UnaryOperator<ProgrammaticDriverConfigLoaderBuilder> more) {
        return builder(more).build();
    }

    private CqlSessionBuilder builder(UnaryOperator<ProgrammaticDriverConfigLoaderBuilder> more) {
        return CqlSession.builder()
                .addContactPoint(contactPoint())
                .withLocalDatacenter(localDatacenter())
                .withConfigLoader(more.apply(DriverConfigLoader.programmaticBuilder()
                                .withBoolean(DefaultDriverOption.RECONNECT_ON_INIT, true)
                                .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(20))
                                .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofMillis(100))
                                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                                .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
                                .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
                                // No request comes later: closing need not wait.
                                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0))
                        .build());
    }

    public InetSocketAddress contactPoint() {
        return (InetSocketAddress) cluster.node(0).getAddress();
    }

    public String localDatacenter() {
        return cluster.node(0).getDataCenter().getName();
    }

    /** Answers every execution of a statement in one way. */
    public void prime(PrimeBuilder prime) {
        cluster.prime(prime);
    }

    /** Answers the executions of a statement one after the other, whatever node they go to; the last answer is for good. */
    public void answerInTurn(PrimeBuilder... answers) {
        List<Prime> primes = Arrays.stream(answers)
                .map(answer -> answer.ignoreOnPrepare().build())
                .toList();
        AtomicInteger executions = new AtomicInteger();
        cluster.getStubStore().register(new StubMapping() {
            @Override
            public boolean matches(Frame frame) {
                return primes.get(0).matches(frame);
            }

            @Override
            @SuppressWarnings("rawtypes") // as it is declared
            public List<Action> getActions(AbstractNode node, Frame frame) {
                int turn = frame.message instanceof Prepare ? 0 : executions.getAndIncrement();
                return primes.get(Math.min(turn, primes.size() - 1)).getActions(node, frame);
            }
        });
    }

    /** What was received for a statement, oldest first; without what was prepared only. */
    public List<QueryLog> sent(String cql) {
        return cluster.getLogs().getQueryLogs().stream()
                .filter(log -> cql.equals(log.getQuery()))
                .filter(log -> Arrays.asList("QUERY", "EXECUTE", "BATCH").contains(log.getType()))
                .sorted(Comparator.comparing(QueryLog::getReceivedTimestamp))
                .toList();
    }

    /** How often the driver had a statement prepared. */
    public long prepared(String cql) {
        return cluster.getLogs().getQueryLogs().stream()
                .filter(log -> cql.equals(log.getQuery()) && "PREPARE".equals(log.getType()))
                .count();
    }

    public List<Long> timestamps(String cql) {
        return sent(cql).stream().map(QueryLog::getClientTimestamp).toList();
    }

    public void forget() {
        cluster.clearPrimes(true);
        cluster.clearLogs();
    }

    /** The columns of what describes a schema, and their types. */
    public static String[] describedColumns() {
        return new String[] {
            "keyspace_name", "varchar", "type", "varchar", "name", "varchar", "create_statement", "varchar"
        };
    }

    /** A table as the server describes it. */
    public static Object[] described(CqlIdentifier keyspace, CqlIdentifier table, String mode) {
        String ddl = "CREATE TABLE %s (k int PRIMARY KEY) WITH cdc = false AND transactional_mode = '%s'";
        return new Object[] {
            "keyspace_name",
            keyspace.asCql(true),
            "type",
            "table",
            "name",
            table.asCql(true),
            "create_statement",
            ddl.formatted(table.asCql(true), mode)
        };
    }

    public static PrimeBuilder when(String cql) {
        return PrimeDsl.when(cql);
    }

    @Override
    public void close() {
        cluster.close();
        server.close();
    }
}
