package io.surewrite.verification.faults;

import io.surewrite.cql.UnknownOutcomeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** Threads that want values for rows of theirs, and give them back. */
final class UniqueClient {

    static final int VALUES = 100;

    private static final int THREADS = 10;

    private final Program program;
    private final Entries entries;
    private final History history;
    private final int pauseMillis;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Entries.class))
    @Import(AmbiguousOutcomes.class)
    static class Application {}

    private UniqueClient(Program program, Entries entries, History history, int pauseMillis) {
        this.program = program;
        this.entries = entries;
        this.history = history;
        this.pauseMillis = pauseMillis;
    }

    /** Starts what clients, and whoever judges them, run. */
    static ConfigurableApplicationContext start(Connection connection, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "surewrite.unique.lease=3s", "surewrite.unique.attempt-timeout=3s", "surewrite.unique.timeout=15s"));
        properties.addAll(List.of(more));
        return connection.start(Application.class, properties.toArray(String[]::new));
    }

    /**
     * Runs until its input ends.
     *
     * @param args its name, the connection, the directory of the histories, and for how many milliseconds each thread rests
     *     after a call
     * @throws Exception when a thread fails
     */
    public static void main(String[] args) throws Exception {
        Program program = new Program();
        try (History history = History.open(Path.of(args[1 + Connection.ARGUMENTS]), args[0]);
                ConfigurableApplicationContext application = start(Connection.of(args, 1))) {
            application.getBean(AmbiguousOutcomes.class).noteIn(history);
            int pauseMillis = Integer.parseInt(args[2 + Connection.ARGUMENTS]);
            new UniqueClient(program, application.getBean(Entries.class), history, pauseMillis).run();
        }
    }

    private void run() throws Exception {
        List<Callable<Void>> works = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            works.add(() -> {
                List<Entry> mine = new ArrayList<>();
                while (!program.isOver()) {
                    if (!mine.isEmpty() && ThreadLocalRandom.current().nextBoolean()) {
                        delete(mine);
                    } else {
                        insert(mine);
                    }
                    Thread.sleep(pauseMillis);
                }
                return null;
            });
        }
        program.run(works);
    }

    private void insert(List<Entry> mine) {
        Entry entry = new Entry(
                UUID.randomUUID(), "value" + ThreadLocalRandom.current().nextInt(VALUES));
        if (insert(entries, history, entry)) {
            mine.add(entry);
        }
    }

    /** {@return whether the row may be there} */
    static boolean insert(Entries entries, History history, Entry entry) {
        long from = System.nanoTime();
        try {
            entries.insert(entry);
            history.add(Event.PRESENT, entry.subject(), 0, System.nanoTime());
            return true;
        } catch (UnknownOutcomeException unknown) {
            history.add(Event.FAILED, entry.subject(), 0, from);
            return true;
        } catch (DataAccessException failed) {
            history.add(Event.ABSENT, entry.subject(), 0, from);
            return false;
        }
    }

    private void delete(List<Entry> mine) {
        Entry entry = mine.get(ThreadLocalRandom.current().nextInt(mine.size()));
        long from = System.nanoTime();
        history.add(Event.DELETING, entry.subject(), 0, from);
        try {
            entries.delete(entry);
            mine.remove(entry);
            history.add(Event.ABSENT, entry.subject(), 0, from);
        } catch (DataAccessException failed) {
            history.add(Event.FAILED, entry.subject(), 0, from);
        }
    }
}
