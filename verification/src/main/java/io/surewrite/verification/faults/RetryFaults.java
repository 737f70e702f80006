package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
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
    private static final int LEAST_DISTURBANCES = 8;

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
            WrittenRows.create(session);
            run.startClient(RetryClient.class);
            run.startClient(RetryClient.class);
            Thread.sleep(10_000); // until they are at it
            Nemesis nemesis = new Nemesis(run.cluster(), history, seed, LONGEST_PAUSE);
            for (int i = 0;
                    i < LEAST_DISTURBANCES || WrittenRows.count(run.events(), Event.ACKNOWLEDGED) < enough;
                    i++) {
                nemesis.strike();
                Thread.sleep(CALM.toMillis());
            }
            run.finishClients();
            WrittenRows.readAtTheEnd(session, history);
            judge(run);
        }
    }

    private static void judge(Run run) throws IOException {
        List<Event> events = run.events();
        System.out.printf(
                "%d writes acknowledged after %d failed attempts, %d calls failed, %d reads, %d disturbances%n",
                WrittenRows.count(events, Event.ACKNOWLEDGED),
                WrittenRows.sum(events, Event.ATTEMPTS_FAILED),
                WrittenRows.count(events, Event.FAILED),
                WrittenRows.count(events, Event.READ),
                WrittenRows.count(events, Event.NODE_FAULT));
        run.judge(WrittenRows.violations(events));
    }
}
