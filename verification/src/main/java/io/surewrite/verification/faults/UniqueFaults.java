package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;

/**
 * 40 threads in 4 processes want 100 values for rows of theirs while they and the nodes are paused and killed: one owner a
 * value, each success present, each failure absent for good. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pfaults-unique package}; {@code -Dverification.argument=1200} makes it last
 * 20 minutes.
 */
public final class UniqueFaults {

    private static final int CLIENTS = 4;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(6);
    private static final Duration CALM = Duration.ofSeconds(3);
    private static final String END = "end";

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Bare {}

    private UniqueFaults() {}

    /**
     * Runs for a while and throws if anything was wrong.
     *
     * @param args how many seconds
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        Duration howLong = Duration.ofSeconds(Long.parseLong(args[0]));
        long seed = System.nanoTime();
        System.out.println("Unique values under faults, seed " + seed);
        try (Run run = new Run("unique");
                History history = History.open(run.directory(), "nemesis")) {
            createTable(run.connection());
            try (ConfigurableApplicationContext application =
                    UniqueClient.start(run.connection(), "surewrite.schema.initialize=always")) {
                Entries entries = application.getBean(Entries.class);
                for (int i = 0; i < CLIENTS; i++) {
                    run.startClient(UniqueClient.class);
                }
                Thread.sleep(20_000); // until they are at it
                disturb(run, history, entries, seed, System.nanoTime() + howLong.toNanos());
                run.finishClients();
                lookAtTheEnd(run, entries);
            }
            judge(run);
        }
    }

    private static void createTable(Connection connection) {
        try (ConfigurableApplicationContext application = connection.start(Bare.class)) {
            application.getBean(CqlSession.class).execute("CREATE TABLE entry (id uuid PRIMARY KEY, label text)");
        }
    }

    private static void disturb(Run run, History history, Entries entries, long seed, long end) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread reader = new Thread(() -> {
            while (!over.get()) {
                try {
                    look(entries, history);
                } catch (DataAccessException later) {
                    history.add(Event.FAILED, "", 0, System.nanoTime());
                }
            }
        });
        reader.start();
        Nemesis nemesis = new Nemesis(run.cluster(), run.clients(), history, seed, LONGEST_PAUSE);
        while (System.nanoTime() < end) {
            nemesis.strike();
            Thread.sleep(CALM.toMillis());
        }
        over.set(true);
        reader.join();
    }

    private static void look(Entries entries, History history) {
        long from = System.nanoTime();
        List<Entry> all = entries.findAll();
        all.forEach(entry -> history.add(Event.PRESENT, entry.subject(), 0, from));
    }

    /** After the last lease is over everybody gets a clear answer for every value. */
    private static void lookAtTheEnd(Run run, Entries entries) throws Exception {
        Thread.sleep(5_000);
        try (History history = History.open(run.directory(), END)) {
            int free = 0;
            for (int i = 0; i < UniqueClient.VALUES; i++) {
                Entry entry = new Entry(UUID.randomUUID(), "value" + i);
                if (UniqueClient.insert(entries, history, entry)) {
                    free++;
                }
            }
            List<Entry> all = entries.findAll();
            System.out.printf("%d values were free at the end, %d rows are there%n", free, all.size());
            if (all.size() != UniqueClient.VALUES) {
                throw new IllegalStateException("%d rows for %d values".formatted(all.size(), UniqueClient.VALUES));
            }
            look(entries, history);
        }
    }

    private static void judge(Run run) throws Exception {
        List<Event> events = run.events();
        List<String> violations = new UniqueChecker().violations(events, END);
        System.out.printf(
                "%d rows seen with a value, %d refused or deleted, %d calls without a clear answer, %d disturbances%n",
                events.stream()
                        .filter(event -> event.is(Event.PRESENT))
                        .map(Event::subject)
                        .distinct()
                        .count(),
                count(events, Event.ABSENT),
                count(events, Event.FAILED),
                count(events, Event.NODE_FAULT) + count(events, Event.CLIENT_FAULT));
        long inserted = events.stream()
                .filter(event -> event.is(Event.PRESENT) && event.who().startsWith("client"))
                .count();
        run.judge(inserted + count(events, Event.ABSENT) + count(events, Event.FAILED), events, violations);
    }

    private static long count(List<Event> events, String what) {
        return events.stream().filter(event -> event.is(what)).count();
    }
}
