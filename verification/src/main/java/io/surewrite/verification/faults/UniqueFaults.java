package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * 40 threads in 4 processes want 100 values for rows of theirs while they and the nodes are paused and killed: one owner a
 * value, each success present, each failure absent for good. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pfaults-unique package}; {@code -Dverification.argument=1200} makes it last
 * 20 minutes.
 */
public final class UniqueFaults implements Trial {

    private static final String END = "end";

    private final int clients;
    private final int pauseMillis;
    private @Nullable ConfigurableApplicationContext application;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Bare {}

    /**
     * @param clients with ten threads each
     * @param pauseMillis of a thread between two calls
     */
    UniqueFaults(int clients, int pauseMillis) {
        this.clients = clients;
        this.pauseMillis = pauseMillis;
    }

    /**
     * Runs for a while and throws if anything was wrong.
     *
     * @param args how many seconds
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        Ordeal.run("unique", args[0], List.of(new UniqueFaults(4, 0))).throwIfWrong();
    }

    @Override
    public void begin(Run run) throws IOException {
        try (ConfigurableApplicationContext bare = run.connection().start(Bare.class)) {
            bare.getBean(CqlSession.class).execute("CREATE TABLE entry (id uuid PRIMARY KEY, label text)");
        }
        application = UniqueClient.start(run.connection(), "surewrite.schema.initialize=always");
        for (int i = 0; i < clients; i++) {
            run.startClient(UniqueClient.class, String.valueOf(pauseMillis));
        }
    }

    @Override
    public void look(History history) {
        long from = System.nanoTime();
        List<Entry> all = entries().findAll();
        all.forEach(entry -> history.add(Event.PRESENT, entry.subject(), 0, from));
    }

    /** After the last lease is over everybody gets a clear answer for every value. */
    @Override
    public void lookAtTheEnd(Run run) throws IOException, InterruptedException {
        Thread.sleep(5_000);
        try (History history = History.open(run.directory(), END)) {
            int free = insertEveryValue(history);
            List<Entry> all = entries().findAll();
            System.out.printf("%d values were free at the end, %d rows are there%n", free, all.size());
            if (all.size() != UniqueClient.VALUES) {
                throw new IllegalStateException("%d rows for %d values".formatted(all.size(), UniqueClient.VALUES));
            }
            look(history);
        }
    }

    /** {@return how many values were free} */
    private int insertEveryValue(History history) throws InterruptedException {
        List<Callable<Boolean>> inserts = IntStream.range(0, UniqueClient.VALUES)
                .mapToObj(i -> new Entry(UUID.randomUUID(), "value" + i))
                .<Callable<Boolean>>map(entry -> () -> UniqueClient.insert(entries(), history, entry))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            int free = 0;
            for (Future<Boolean> inserted : threads.invokeAll(inserts)) {
                free += inserted.get() ? 1 : 0;
            }
            return free;
        } catch (ExecutionException failure) {
            throw new IllegalStateException("An insert failed without an answer", failure.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    @Override
    public Verdict judge(List<Event> events) {
        List<String> violations = new UniqueChecker().violations(events, END);
        long inserted = events.stream()
                .filter(event -> event.is(Event.PRESENT) && event.who().startsWith("client"))
                .count();
        long absent = events.stream().filter(event -> event.is(Event.ABSENT)).count();
        long rows = events.stream()
                .filter(event -> event.is(Event.PRESENT))
                .map(Event::subject)
                .distinct()
                .count();
        String summary = "Unique values: %d rows seen with one, %d inserted, %d refused or deleted"
                .formatted(rows, inserted, absent);
        return new Verdict(summary, inserted + absent, violations);
    }

    private Entries entries() {
        return Objects.requireNonNull(application, "not begun").getBean(Entries.class);
    }

    @Override
    public void close() {
        if (application != null) {
            application.close();
        }
    }
}
