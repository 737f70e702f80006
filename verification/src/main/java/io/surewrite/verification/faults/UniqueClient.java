package io.surewrite.verification.faults;

import io.surewrite.cql.UnknownOutcomeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** Threads that want values for rows of theirs, and give them back. */
final class UniqueClient {

    /** In each table. */
    static final int VALUES = 50;

    private static final int THREADS = 10;
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    private final Program program;
    private final ConfigurableApplicationContext application;
    private final History history;
    private final int pauseMillis;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {Entries.class, TaggedEntries.class}))
    @Import(AmbiguousOutcomes.class)
    static class Application {}

    /**
     * A table and its rows.
     *
     * @param entries the repository
     * @param written a row with this key and label, as another write makes it
     * @param saves whether rows are written over, too
     */
    record Rows<E extends Wanting>(
            CassandraRepository<E, UUID> entries, BiFunction<UUID, String, E> written, boolean saves) {

        static Rows<Entry> plain(ApplicationContext application) {
            return new Rows<>(application.getBean(Entries.class), Entry::new, false);
        }

        static Rows<TaggedEntry> tagged(ApplicationContext application) {
            return new Rows<>(application.getBean(TaggedEntries.class), TaggedEntry::written, true);
        }

        E wanting(int value) {
            return written.apply(UUID.randomUUID(), "value" + (saves ? VALUES + value : value));
        }

        /** {@return whether the row is there; null if that is unknown} */
        @Nullable
        Boolean insert(History history, E entry) {
            long from = System.nanoTime();
            try {
                entries.insert(entry);
                history.add(Event.PRESENT, entry.subject(), 0, System.nanoTime());
                return true;
            } catch (UnknownOutcomeException unknown) {
                history.add(Event.FAILED, entry.subject(), 0, from);
                return null;
            } catch (DataAccessException failed) {
                history.add(Event.ABSENT, entry.subject(), 0, from);
                return false;
            }
        }

        /** Notes what is there. */
        void look(History history) {
            long from = System.nanoTime();
            entries.findAll()
                    .forEach(entry ->
                            history.add(entry.isWhole() ? Event.PRESENT : Event.MIXED, entry.subject(), 0, from));
        }
    }

    private UniqueClient(
            Program program, ConfigurableApplicationContext application, History history, int pauseMillis) {
        this.program = program;
        this.application = application;
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
            new UniqueClient(program, application, history, pauseMillis).run();
        }
    }

    private void run() throws Exception {
        List<Callable<Void>> works = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            works.add(i % 2 == 0 ? new Work<>(Rows.plain(application)) : new Work<>(Rows.tagged(application)));
        }
        program.run(works);
    }

    /** One thread. */
    private final class Work<E extends Wanting> implements Callable<Void> {

        private final Rows<E> rows;

        /** May be there. */
        private final List<E> mine = new ArrayList<>();

        /** Are there, and were never about to be deleted: who writes over others could make them anew. */
        private final Set<UUID> settled = new HashSet<>();

        private Work(Rows<E> rows) {
            this.rows = rows;
        }

        @Override
        public @Nullable Void call() throws InterruptedException {
            while (!program.isOver()) {
                long began = System.nanoTime();
                if (mine.isEmpty() || ThreadLocalRandom.current().nextBoolean()) {
                    insert();
                } else if (rows.saves() && ThreadLocalRandom.current().nextBoolean()) {
                    save(oneOfMine());
                } else {
                    delete(oneOfMine());
                }
                rest(Duration.ofNanos(System.nanoTime() - began));
            }
            return null;
        }

        /** Twice as long as the call took, if at all: on a machine that cannot follow, nothing but time-outs would be seen. */
        private void rest(Duration took) throws InterruptedException {
            if (pauseMillis > 0) {
                Thread.sleep(Math.max(pauseMillis, Math.min(2 * took.toMillis(), LONGEST_REST.toMillis())));
            }
        }

        private E oneOfMine() {
            return mine.get(ThreadLocalRandom.current().nextInt(mine.size()));
        }

        private void insert() {
            E entry = rows.wanting(ThreadLocalRandom.current().nextInt(VALUES));
            Boolean inserted = rows.insert(history, entry);
            if (inserted == null || inserted) {
                mine.add(entry);
            }
            if (inserted != null && inserted) {
                settled.add(entry.id());
            }
        }

        private void save(E entry) {
            if (!settled.contains(entry.id())) {
                return;
            }
            E written = rows.written().apply(entry.id(), entry.label());
            long from = System.nanoTime();
            try {
                rows.entries().save(written);
                history.add(Event.PRESENT, entry.subject(), 0, System.nanoTime());
            } catch (DataAccessException failed) {
                history.add(Event.FAILED, entry.subject(), 0, from);
            }
        }

        private void delete(E entry) {
            long from = System.nanoTime();
            history.add(Event.DELETING, entry.subject(), 0, from);
            settled.remove(entry.id());
            try {
                rows.entries().delete(entry);
                mine.remove(entry);
                history.add(Event.ABSENT, entry.subject(), 0, from);
            } catch (DataAccessException failed) {
                history.add(Event.FAILED, entry.subject(), 0, from);
            }
        }
    }
}
