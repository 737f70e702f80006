package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.embedded.EmbeddedCassandraBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.util.FileSystemUtils;

/** Trials on one cluster, which is disturbed: nodes, a fresh directory for the histories, clients, and who looks at the rows. */
final class Run implements AutoCloseable {

    static final String KEYSPACE = "faults";

    /** A killed node's start takes a minute on a slow machine that does much else. It is Cassandra's, and nothing is promised of it. */
    private static final Duration SETTLED = Duration.ofMinutes(3);

    private static final Duration UNTIL_THEY_ARE_WARM = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private final EmbeddedCassandra cluster;
    private final List<String> dataCenters;
    private final Path directory;
    private final History history;
    private final ConfigurableApplicationContext application;
    private final List<Client> clients = new ArrayList<>();

    /** What is done to nodes and clients until the end of a run. */
    interface Disturbance {

        /** Disturbs until the end, by {@code System.nanoTime()}, and leaves all as it was. */
        void disturb(Run run, Random random, long end) throws IOException, InterruptedException;
    }

    /** Something that is written down. */
    interface Act {

        void run() throws IOException, InterruptedException;
    }

    /** Starts the nodes. What they have acknowledged survives their death. */
    private Run(String name, EmbeddedCassandraBuilder nodes, List<String> dataCenters) throws IOException {
        this.directory = Path.of("target", "history", name).toAbsolutePath();
        FileSystemUtils.deleteRecursively(directory);
        this.history = History.open(directory, "nemesis");
        this.cluster = nodes.setting("commitlog_sync", "batch")
                .setting("cas_contention_timeout", "40ms") // so that contended transactions time out
                .start();
        this.cluster.createKeyspace(KEYSPACE);
        this.dataCenters = dataCenters.isEmpty() ? List.of(cluster.localDatacenter()) : dataCenters;
        try (CqlSession session = CqlSession.builder()
                .addContactPoint(cluster.nodesOf(this.dataCenters.get(0)).get(0).address())
                .withLocalDatacenter(this.dataCenters.get(0))
                .withKeyspace(KEYSPACE)
                .build()) {
            Stream.of(UniqueRows.TABLES, WrittenRows.TABLES)
                    .flatMap(List::stream)
                    .map(table -> SimpleStatement.newInstance(table).setTimeout(SETTLED))
                    .forEach(session::execute);
        }
        this.application = connection(this.dataCenters.get(0))
                .start(
                        "end",
                        "surewrite.schema.initialize=always",
                        "surewrite.unique.lease=3s",
                        "surewrite.conditional.attempt-timeout=3s",
                        "surewrite.unique.timeout=15s");
    }

    /** Runs for a while, prints what came out, and throws if anything was wrong. */
    static void make(
            String name,
            EmbeddedCassandraBuilder nodes,
            List<String> dataCenters,
            Duration howLong,
            Disturbance disturbance,
            List<Trial> trials)
            throws Exception {
        long seed = System.nanoTime();
        System.out.printf("Faults: %s, for %d seconds, seed %d%n", name, howLong.toSeconds(), seed);
        try (Run run = new Run(name, nodes, dataCenters)) {
            Duration disturbed = run.disturb(howLong, disturbance, new Random(seed), trials);
            System.out.println("The histories are in " + run.directory);
            FaultReport.of(disturbed, seed, History.read(run.directory), trials).printAndThrowIfWrong();
        }
    }

    /** {@return how long it was disturbed: a disturbance that has begun comes to its end} */
    private Duration disturb(Duration howLong, Disturbance disturbance, Random random, List<Trial> trials)
            throws Exception {
        for (Trial trial : trials) {
            trial.begin(this);
        }
        awaitClients();
        Thread.sleep(UNTIL_THEY_ARE_WARM.toMillis());
        long from = System.nanoTime();
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> lookers = trials.stream()
                .map(trial -> new Thread(() -> lookAgainAndAgain(trial, over)))
                .toList();
        lookers.forEach(Thread::start);
        disturbance.disturb(this, random, from + howLong.toNanos());
        Duration disturbed = Duration.ofNanos(System.nanoTime() - from);
        history.add(Event.RUN, "", 0, from);
        over.set(true);
        for (Thread looker : lookers) {
            looker.join();
        }
        for (Client client : clients) {
            client.askToEnd();
        }
        for (Client client : clients) {
            client.awaitEnd();
        }
        for (Trial trial : trials) {
            trial.lookAtTheEnd(this);
        }
        return disturbed;
    }

    private void lookAgainAndAgain(Trial trial, AtomicBoolean over) {
        while (!over.get()) {
            try {
                trial.look(this);
                Thread.sleep(BETWEEN_LOOKS.toMillis());
            } catch (DataAccessException later) {
                history.add(Event.FAILED, "", 0, System.nanoTime());
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    EmbeddedCassandra cluster() {
        return cluster;
    }

    /** Waits until the nodes know of each other whether they are alive. */
    void awaitMembers() {
        cluster.awaitMembers(SETTLED);
    }

    Path directory() {
        return directory;
    }

    /** {@return what is written down of the run itself} */
    History history() {
        return history;
    }

    /** Does something, and writes down from when to when. */
    void during(String what, String subject, Act act) throws IOException, InterruptedException {
        long from = System.nanoTime();
        act.run();
        history.add(what, subject, 0, from);
    }

    /** {@return an application that makes the tables, and is left alone} */
    ApplicationContext application() {
        return application;
    }

    Connection connection(String dataCenter) {
        return Connection.to(cluster, dataCenter);
    }

    List<Client> clients() {
        return clients;
    }

    void startClient(Class<?> program, String... more) throws IOException {
        String dataCenter = dataCenters.get(clients.size() % dataCenters.size());
        List<String> arguments = new ArrayList<>(connection(dataCenter).arguments());
        arguments.add(directory.toString());
        arguments.addAll(List.of(more));
        clients.add(new Client("client" + (clients.size() + 1), program, arguments, directory));
    }

    boolean areClientsAtWork() throws IOException {
        for (Client client : clients) {
            if (!client.isAtWork()) {
                return false;
            }
        }
        return true;
    }

    void awaitClients() throws IOException, InterruptedException {
        while (!areClientsAtWork()) {
            Thread.sleep(100);
        }
    }

    @Override
    public void close() throws IOException {
        clients.forEach(Client::kill);
        application.close();
        cluster.close();
        history.close();
    }
}
