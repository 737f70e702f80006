package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Retried writes while a cluster loses, pauses and regains one node at a time: what was acknowledged is readable at QUORUM,
 * nothing is there twice, and nothing older lies over something newer. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pfaults-retry package}.
 */
public final class RetryFaults {

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(6);
    private static final Duration CALM = Duration.ofSeconds(3);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private RetryFaults() {}

    /**
     * Runs until enough writes were acknowledged and throws if anything was wrong.
     *
     * @param args how many writes
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        long enough = Long.parseLong(args[0]);
        long seed = System.nanoTime();
        System.out.println("Retries under faults, seed " + seed);
        try (Run run = new Run("retry");
                ConfigurableApplicationContext application = run.connection().start(Application.class);
                History history = History.open(run.directory(), "nemesis")) {
            CqlSession session = application.getBean(CqlSession.class);
            session.execute("CREATE TABLE counter_row (id text PRIMARY KEY, version bigint)");
            session.execute("CREATE TABLE note_row (id uuid PRIMARY KEY, subject text)");
            run.startClient(RetryClient.class);
            run.startClient(RetryClient.class);
            Nemesis nemesis = new Nemesis(run.cluster(), history, seed, LONGEST_PAUSE);
            do {
                nemesis.strike();
                Thread.sleep(CALM.toMillis());
            } while (count(run.events(), Event.ACKNOWLEDGED) < enough);
            run.finishClients();
            readAtTheEnd(session, history);
            judge(run);
        }
    }

    private static void readAtTheEnd(CqlSession session, History history) {
        for (Row row : session.execute("SELECT id, version FROM counter_row")) {
            history.add(Event.READ, string(row, "id"), row.getLong("version"), System.nanoTime());
        }
        Map<String, Long> notes = new HashMap<>();
        session.execute("SELECT subject FROM note_row")
                .forEach(row -> notes.merge(string(row, "subject"), 1L, Long::sum));
        notes.forEach((subject, times) -> history.add(Event.READ, subject, times, System.nanoTime()));
    }

    /** A note that is there twice reads as version 2, which nobody wrote. */
    private static void judge(Run run) throws IOException {
        List<Event> events = run.events();
        List<String> violations = new WriteChecker().violations(events);
        Set<String> read = new HashSet<>();
        events.stream().filter(event -> event.is(Event.READ)).forEach(event -> read.add(event.subject()));
        events.stream()
                .filter(event -> event.is(Event.ACKNOWLEDGED) && !read.contains(event.subject()))
                .forEach(event -> violations.add(event.subject() + " was acknowledged and is not there"));
        System.out.printf(
                "%d writes acknowledged, %d calls failed, %d reads, %d disturbances%n",
                count(events, Event.ACKNOWLEDGED),
                count(events, Event.FAILED),
                count(events, Event.READ),
                count(events, Event.NODE_FAULT));
        run.judge(violations);
    }

    private static long count(List<Event> events, String what) {
        return events.stream().filter(event -> event.is(what)).count();
    }

    private static String string(Row row, String column) {
        return Objects.requireNonNull(row.getString(column));
    }
}
