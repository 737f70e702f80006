package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.verification.faults.UniqueClient.Rows;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
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
 * 40 threads in 4 processes want 100 values for rows of theirs, half of them in a table with a set and a map, which are also written over, while they and the nodes are paused and killed: one owner a
 * value, each success present, each failure absent for good, no row of two writes. Run it with
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
     * @param pauseMillis of a thread between two calls at least, more where calls take long; 0 for none
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
            CqlSession session = bare.getBean(CqlSession.class);
            session.execute("CREATE TABLE entry (id uuid PRIMARY KEY, label text)");
            session.execute("CREATE TABLE tagged_entry (id uuid PRIMARY KEY, label text, roles set<text>,"
                    + " notes map<text, text>)");
        }
        application = UniqueClient.start(run.connection(), "surewrite.schema.initialize=always");
        for (int i = 0; i < clients; i++) {
            run.startClient(UniqueClient.class, String.valueOf(pauseMillis));
        }
    }

    @Override
    public void look(History history) {
        tables().forEach(rows -> rows.look(history));
    }

    /** After the last lease is over everybody gets a clear answer for every value. */
    @Override
    public void lookAtTheEnd(Run run) throws IOException, InterruptedException {
        Thread.sleep(5_000);
        try (History history = History.open(run.directory(), END)) {
            for (Rows<?> rows : tables()) {
                int free = insertEveryValue(rows, history);
                long there = rows.entries().count();
                System.out.printf("%d values were free at the end, %d rows are there%n", free, there);
                if (there != UniqueClient.VALUES) {
                    throw new IllegalStateException("%d rows for %d values".formatted(there, UniqueClient.VALUES));
                }
            }
            look(history);
        }
    }

    /** {@return how many values were free} */
    private <E extends Wanting> int insertEveryValue(Rows<E> rows, History history) throws InterruptedException {
        List<Callable<Boolean>> inserts = IntStream.range(0, UniqueClient.VALUES)
                .mapToObj(rows::wanting)
                .<Callable<Boolean>>map(entry -> () -> !Boolean.FALSE.equals(rows.insert(history, entry)))
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
        String summary = "Unique values: %d rows seen with one, %d inserted or written over, %d refused or deleted"
                .formatted(rows, inserted, absent);
        return new Verdict(summary, inserted + absent, violations);
    }

    private List<Rows<?>> tables() {
        ConfigurableApplicationContext begun = Objects.requireNonNull(application, "not begun");
        return List.of(Rows.plain(begun), Rows.tagged(begun));
    }

    @Override
    public void close() {
        if (application != null) {
            application.close();
        }
    }
}
