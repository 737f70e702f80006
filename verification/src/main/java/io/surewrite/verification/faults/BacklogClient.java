package io.surewrite.verification.faults;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.backlog.BacklogDamagedException;
import io.surewrite.backlog.DeadLetter;
import io.surewrite.backlog.WriteBacklog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** Threads that write rows of their own, whether the cluster is there or not. */
final class BacklogClient {

    private static final int WRITERS = 4;
    private static final LongAdder KEPT = new LongAdder();

    private final String name;
    private final Program program;
    private final KeptCounters counters;
    private final KeptNotes notes;
    private final History history;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {KeptCounters.class, KeptNotes.class}))
    static class Application {

        @Bean
        ObservationRegistry countsKeptWrites() {
            Observing kept = new Observing() {
                @Override
                public void onStop(Observation.Context ended) {
                    if ("surewrite.backlog.keep".equals(ended.getName())
                            && Observing.outcome(ended).equals("kept")) {
                        KEPT.increment();
                    }
                }
            };
            return kept.registry();
        }
    }

    private BacklogClient(String name, Program program, ConfigurableApplicationContext application, History history) {
        this.name = name;
        this.program = program;
        this.counters = application.getBean(KeptCounters.class);
        this.notes = application.getBean(KeptNotes.class);
        this.history = history;
    }

    /**
     * Runs until its input ends and its backlog is empty.
     *
     * @param args its name, the connection and the directory of the histories
     * @throws Exception when a thread fails
     */
    public static void main(String[] args) throws Exception {
        Program program = new Program();
        Path directory = Path.of(args[1 + Connection.ARGUMENTS]);
        Path backlog = backlog(directory, args[0]);
        System.setProperty("datastax-java-driver.advanced.reconnect-on-init", "true");
        try (History history = History.open(directory, args[0]);
                ConfigurableApplicationContext application = start(Connection.of(args, 1), backlog, history)) {
            long from = System.nanoTime();
            new BacklogClient(args[0], program, application, history).run();
            WriteBacklog waiting = application.getBean(WriteBacklog.class);
            while (waiting.size().entries() > 0) {
                Thread.sleep(100);
            }
            history.add(Event.KEPT, "", KEPT.sum(), from);
            history.add(Event.DIED, "", waiting.size().deadLetters(), from);
        }
    }

    /** Where a client, or the one that comes back for it, keeps its writes. */
    static Path backlog(Path histories, String name) {
        return histories.resolveSibling("backlog-entries").resolve(client(name));
    }

    /** The client of which this is a life, or a row that one wrote. */
    static String client(String name) {
        return name.substring(0, name.indexOf('.'));
    }

    /** Goes on after a damage, as an operator would who was told what is missing. */
    private static ConfigurableApplicationContext start(Connection connection, Path backlog, History history) {
        long from = System.nanoTime();
        try {
            return start(connection, backlog, "refuse");
        } catch (RuntimeException failed) {
            if (!(NestedExceptionUtils.getMostSpecificCause(failed) instanceof BacklogDamagedException damage)) {
                throw failed;
            }
            System.out.println(damage.getMessage());
        }
        ConfigurableApplicationContext application = start(connection, backlog, "accept-loss");
        WriteBacklog damaged = application.getBean(WriteBacklog.class);
        history.add(Event.LOST, "", damaged.size().lost(), from);
        damaged.discardDeadLetters(damaged.deadLetters(0, Integer.MAX_VALUE).stream()
                .filter(letter -> letter.reason().isLoss())
                .map(DeadLetter::id)
                .toList());
        return application;
    }

    private static ConfigurableApplicationContext start(Connection connection, Path backlog, String recover) {
        return connection.start(
                Application.class,
                "spring.cassandra.request.timeout=2s",
                "surewrite.retry.attempts=2",
                "surewrite.retry.initial-backoff=10ms",
                "surewrite.backlog.enabled=true",
                "surewrite.backlog.directory=" + backlog,
                "surewrite.backlog.recover=" + recover,
                "surewrite.backlog.probe-interval=70ms");
    }

    private void run() throws Exception {
        List<Callable<Void>> works = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            String row = RetryClient.row(name, i);
            works.add(() -> {
                for (long version = 1; !program.isOver(); version++) {
                    write(row, version);
                }
                return null;
            });
        }
        program.run(works);
    }

    /** A new version of the row, and in turn a new row that says so. */
    private void write(String row, long version) {
        attempt(row, version, () -> counters.save(new Counter(row, version)));
        String subject = row + "#" + version;
        attempt(subject, 1, () -> notes.save(new Note(null, subject)));
    }

    private void attempt(String subject, long version, Runnable write) {
        long from = System.nanoTime();
        history.add(Event.BEGUN, subject, version, from);
        try {
            write.run();
            history.add(Event.ACKNOWLEDGED, subject, version, from);
        } catch (DataAccessException e) {
            history.add(Event.FAILED, subject, version, from);
        }
    }
}
