package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.verification.Arguments;
import io.surewrite.verification.Times;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/**
 * How long calls take in two data centres, two replicas in one and one in the other, over a link that delays each message: at
 * {@code SERIAL} and at {@code LOCAL_SERIAL}, in the one that has a majority of all replicas and in the other, with Paxos v1
 * and v2. Prints a table of medians. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-data-centres package}; {@code -Dverification.argument=200,20} makes
 * 200 calls each, over a link that delays each message by 20 ms.
 */
public final class DataCentreLatencies {

    private static final List<String> DATA_CENTRES = List.of("dc1", "dc2");
    private static final String KEYSPACE = "latencies";
    private static final int WARM_UP = 10;

    /** The medians in milliseconds of each call, a column each. */
    private final Map<String, StringBuilder> rows = new LinkedHashMap<>();

    private final StringBuilder head = new StringBuilder("| median in ms |");
    private final int calls;
    private final Duration delay;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {Entries.class, Notes.class}))
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Bare {}

    private DataCentreLatencies(int calls, Duration delay) {
        this.calls = calls;
        this.delay = delay;
    }

    /**
     * Measures and prints.
     *
     * @param args how many calls of each kind, and how many milliseconds the link delays each message, as one text with a comma
     */
    public static void main(String[] args) {
        Arguments arguments = Arguments.of(args, "40", "50");
        DataCentreLatencies latencies =
                new DataCentreLatencies(arguments.number(0), Duration.ofMillis(arguments.number(1)));
        for (String paxos : List.of("v1", "v2")) {
            latencies.measure(paxos);
        }
        latencies.print();
    }

    private void measure(String paxos) {
        try (EmbeddedCassandra cluster = EmbeddedCassandra.builder()
                .dataCenter(DATA_CENTRES.get(0), 2)
                .dataCenter(DATA_CENTRES.get(1), 1)
                .heapMegabytes(384)
                .setting("paxos_variant", paxos)
                .start()) {
            cluster.createKeyspace(KEYSPACE);
            createTables(Connection.to(cluster, KEYSPACE));
            for (String level : List.of("serial", "local-serial")) {
                for (String dataCentre : DATA_CENTRES) {
                    try (ConfigurableApplicationContext application = Connection.to(cluster, dataCentre, KEYSPACE)
                            .start(
                                    Application.class,
                                    "spring.cassandra.request.consistency=local_quorum",
                                    "surewrite.conditional.serial-consistency=" + level,
                                    // At local-serial tables have one home.
                                    "surewrite.schema.table-prefix=" + level.substring(0, 1) + "_" + dataCentre + "_",
                                    "surewrite.schema.initialize=always")) {
                        application.getBean(LeaseLocks.class);
                        cluster.slowLink(DATA_CENTRES.get(0), DATA_CENTRES.get(1), delay);
                        head.append(" %s, %s, %s |".formatted(paxos, level, dataCentre));
                        System.out.printf("Paxos %s, %s, in %s%n", paxos, level, dataCentre);
                        measure(application);
                        cluster.restoreLink(DATA_CENTRES.get(0), DATA_CENTRES.get(1));
                    }
                }
            }
        }
    }

    private static void createTables(Connection connection) {
        try (ConfigurableApplicationContext bare = connection.start(Bare.class)) {
            CqlSession session = bare.getBean(CqlSession.class);
            session.execute("CREATE TABLE entry (id uuid PRIMARY KEY, label text)");
            session.execute("CREATE TABLE note_row (id uuid PRIMARY KEY, subject text)");
        }
    }

    private void measure(ApplicationContext application) {
        LeaseLocks locks = application.getBean(LeaseLocks.class);
        Entries entries = application.getBean(Entries.class);
        Notes notes = application.getBean(Notes.class);
        CqlSession session = application.getBean(CqlSession.class);
        time(
                "a lease acquired and released",
                () -> locks.tryAcquire(text()).orElseThrow().close());
        time("an insert with a unique value", () -> entries.insert(new Entry(UUID.randomUUID(), text())));
        Entry kept = entries.insert(new Entry(UUID.randomUUID(), text()));
        time("a save of it, nothing unique changed", () -> entries.save(kept));
        time(
                "a statement of your own with `IF`",
                () -> session.execute(SimpleStatement.newInstance(
                        "INSERT INTO note_row (id, subject) VALUES (?, 'own') IF NOT EXISTS", UUID.randomUUID())));
        time("an `@Idempotent` insert", () -> notes.insert(new Note(UUID.randomUUID(), "sure")));
    }

    private static String text() {
        return UUID.randomUUID().toString();
    }

    private void time(String name, Runnable call) {
        for (int i = 0; i < WARM_UP; i++) {
            call.run();
        }
        Times times = new Times();
        for (int i = 0; i < calls; i++) {
            times.time(call);
        }
        rows.computeIfAbsent(name, row -> new StringBuilder("| " + row + " |"))
                .append(" %.0f |".formatted(times.percentileMillis(0.5)));
    }

    private void print() {
        System.out.printf(
                "%d calls each, %d ms for a message from one data centre to the other%n", calls, delay.toMillis());
        System.out.println(head);
        System.out.println(head.toString().replaceAll("[^|]+", "---"));
        rows.values().forEach(System.out::println);
    }
}
