package io.surewrite.verification.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.verification.PaxosServer;
import io.surewrite.verification.faults.Connection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Repairs a new constraint of a table with 1,000,000 rows and 100 planted duplicates, in a process with a heap of 256 MB that is
 * killed in the middle and started again. Ends with an error unless exactly the planted duplicates are found. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-unique-build package}.
 */
public final class UniqueBuildBenchmark {

    private static final int TWINS = 100;
    private static final int IN_FLIGHT = 256;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private final Connection connection;
    private final CqlSession session;

    private UniqueBuildBenchmark(Connection connection, CqlSession session) {
        this.connection = connection;
        this.session = session;
    }

    /**
     * Runs it.
     *
     * @param args how many rows
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        int rows = Integer.parseInt(args[0]);
        try (EmbeddedCassandra server = PaxosServer.start(1)) {
            server.createKeyspace("build");
            Connection connection = Connection.to(server, "build");
            try (ConfigurableApplicationContext application =
                    connection.start(Application.class, "surewrite.schema.initialize=always")) {
                application.getBean(UniqueGuard.class); // makes tables, and so does the next
                application.getBean(UniqueConstraints.class);
                new UniqueBuildBenchmark(connection, application.getBean(CqlSession.class)).run(rows);
            }
        }
    }

    private void run(int rows) throws Exception {
        session.execute("CREATE TABLE subscriber (id uuid PRIMARY KEY, email text, note text)");
        fill(rows - TWINS);
        fill(TWINS);
        System.out.printf("%d rows, of them %d with the value of another%n", rows, TWINS);
        long start = System.nanoTime();
        Process process = fork();
        while (progress() < 0.4) {
            if (!process.isAlive()) {
                throw new IllegalStateException("The process has ended by itself");
            }
            Thread.sleep(100);
        }
        process.destroyForcibly().onExit().join();
        System.out.printf("killed at %.0f %%%n", 100 * progress());
        if (fork().waitFor() != 0) {
            throw new IllegalStateException("The process failed");
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf("built in %.0f s, %.0f rows/s, the kill and both starts included%n", seconds, rows / seconds);
        judge(rows);
    }

    private Process fork() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-classpath",
                System.getProperty("java.class.path"),
                BuildProcess.class.getName(),
                "--spring.cassandra.contact-points=" + connection.contactPoints(),
                "--spring.cassandra.local-datacenter=" + connection.datacenter(),
                "--spring.cassandra.keyspace-name=" + connection.keyspace(),
                "--spring.cassandra.request.timeout=30s"));
        return new ProcessBuilder(command).inheritIO().start();
    }

    private double progress() {
        Row row = session.execute("SELECT state FROM surewrite_unique_repair").one(); // the first row is the state
        return row == null ? 0 : counted(row, "POSITION") / Math.pow(2, 64) + 0.5;
    }

    private static long counted(Row row, String what) {
        return Objects.requireNonNull(row.getMap("state", String.class, Long.class))
                .getOrDefault(what, 0L);
    }

    private void judge(int rows) {
        List<Row> all = session.execute("SELECT value, state FROM surewrite_unique_repair")
                .all();
        Set<String> found = new HashSet<>();
        all.subList(1, all.size()).forEach(row -> found.add(Objects.requireNonNull(row.getString("value"))));
        Set<String> planted = new HashSet<>();
        for (int i = 0; i < TWINS; i++) {
            planted.add(email(i).length() + ":" + email(i));
        }
        Row state = all.get(0);
        System.out.println(state.getFormattedContents());
        if (!found.equals(planted)
                || counted(state, "DUPLICATE") != TWINS
                || counted(state, "ROWS") != rows
                || counted(state, "POSITION") != Long.MAX_VALUE) {
            throw new IllegalStateException("Planted were %s, found were %s".formatted(planted, found));
        }
        System.out.println("all planted duplicates were found, and no others");
    }

    private void fill(int many) throws InterruptedException {
        PreparedStatement insert = session.prepare("INSERT INTO subscriber (id, email, note) VALUES (?, ?, ?)");
        Semaphore room = new Semaphore(IN_FLIGHT);
        for (int i = 0; i < many; i++) {
            room.acquire();
            session.executeAsync(insert.bind(UUID.randomUUID(), email(i), "a subscriber since " + Duration.ofDays(i)))
                    .whenComplete((done, failure) -> room.release());
        }
        room.acquire(IN_FLIGHT);
    }

    private static String email(int number) {
        return "subscriber" + number + "@example.org";
    }
}
