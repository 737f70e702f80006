package io.surewrite.verification.faults;

import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** Threads that write rows of their own, with retries, and read those of all. */
final class RetryClient {

    private static final int WRITERS = 4;
    private static final int READERS = 2;
    private static final LongAdder FAILED_ATTEMPTS = new LongAdder();

    private final String name;
    private final Program program;
    private final Counters counters;
    private final Notes notes;
    private final History history;

    // No component scan: it would find the other clients' applications and their repositories.
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {Counters.class, Notes.class}))
    static class Application {

        @Bean
        WriteListener countsFailedAttempts() {
            return operation -> new WriteListener.Call() {
                @Override
                public void attemptFailed(int attempt, FailureKind kind, Throwable failure) {
                    FAILED_ATTEMPTS.increment();
                }
            };
        }
    }

    private RetryClient(String name, Program program, ConfigurableApplicationContext application, History history) {
        this.name = name;
        this.program = program;
        this.counters = application.getBean(Counters.class);
        this.notes = application.getBean(Notes.class);
        this.history = history;
    }

    /**
     * Runs until its input ends.
     *
     * @param args its name, the connection and the directory of the histories
     * @throws Exception when a thread fails
     */
    public static void main(String[] args) throws Exception {
        Program program = new Program();
        try (History history = History.open(Path.of(args[1 + Connection.ARGUMENTS]), args[0]);
                ConfigurableApplicationContext application =
                        Connection.of(args, 1).start(Application.class, "spring.cassandra.request.timeout=2s")) {
            long from = System.nanoTime();
            new RetryClient(args[0], program, application, history).run();
            history.add(Event.ATTEMPTS_FAILED, "", FAILED_ATTEMPTS.sum(), from);
        }
    }

    /** The row of one writer. */
    static String row(String client, int writer) {
        return client + "-" + writer;
    }

    private void run() throws Exception {
        List<Callable<Void>> works = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            String row = row(name, i);
            works.add(() -> {
                for (long version = 1; !program.isOver(); version++) {
                    write(row, version);
                }
                return null;
            });
        }
        for (int i = 0; i < READERS; i++) {
            works.add(() -> {
                while (!program.isOver()) {
                    String row = row(name, ThreadLocalRandom.current().nextInt(WRITERS));
                    read(row, () -> counters.findById(row).map(Counter::version).orElse(0L));
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

    private void read(String row, LongSupplier version) {
        long from = System.nanoTime();
        try {
            history.add(Event.READ, row, version.getAsLong(), from);
        } catch (DataAccessException e) {
            history.add(Event.FAILED, row, 0, from);
        }
    }
}
