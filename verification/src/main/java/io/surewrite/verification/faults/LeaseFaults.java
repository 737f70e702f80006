package io.surewrite.verification.faults;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Three clients that always want the same leases, while they and the nodes are paused and killed: no two holders overlap,
 * tokens rise, and no name stays blocked. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pfaults-lease package}; {@code -Dverification.argument=1200} makes it last
 * 20 minutes.
 */
public final class LeaseFaults {

    private static final Duration LONGEST_BLOCKED = LeaseClient.TTL.plusSeconds(1);

    private LeaseFaults() {}

    /**
     * Runs for a while and throws if anything was wrong.
     *
     * @param args how many seconds
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        Duration howLong = Duration.ofSeconds(Long.parseLong(args[0]));
        long seed = System.nanoTime();
        System.out.println("Leases under faults, seed " + seed);
        try (Run run = new Run("lease");
                History history = History.open(run.directory(), "nemesis")) {
            LeaseClient.createTable(run.connection());
            for (int i = 0; i < 3; i++) {
                run.startClient(LeaseClient.class);
            }
            Thread.sleep(10_000); // until they are at it
            long from = System.nanoTime();
            disturb(run, history, seed, from + howLong.toNanos());
            history.add(Event.RUN, "", 0, from);
            run.finishClients();
            judge(run);
        }
    }

    /** After each disturbance it is quiet, mostly for so long that a blocked name would be noticed. */
    private static void disturb(Run run, History history, long seed, long end) throws Exception {
        Nemesis nemesis = new Nemesis(run.cluster(), run.clients(), history, seed, LeaseClient.TTL.multipliedBy(3));
        Random random = new Random(seed);
        while (System.nanoTime() < end) {
            nemesis.strike();
            Thread.sleep(random.nextLong(LONGEST_BLOCKED.toMillis() / 2, LONGEST_BLOCKED.toMillis() * 3 / 2));
        }
        Thread.sleep(LONGEST_BLOCKED.toMillis() + 1000);
    }

    private static void judge(Run run) throws Exception {
        List<Event> events = run.events();
        LeaseChecker checker = new LeaseChecker(events, LONGEST_BLOCKED);
        List<String> violations = checker.violations();
        System.out.printf(
                "%d holds seen, %d calls without a clear answer, %d disturbances; without a holder for at most %d ms while"
                        + " nobody was disturbed (permitted: %d ms)%n",
                checker.holds(),
                events.stream().filter(event -> event.is(Event.FAILED)).count(),
                events.stream()
                        .filter(event -> event.is(Event.NODE_FAULT) || event.is(Event.CLIENT_FAULT))
                        .count(),
                checker.longestWithoutHolder().toMillis(),
                LONGEST_BLOCKED.toMillis());
        run.judge(
                checker.holds()
                        + events.stream()
                                .filter(event -> event.is(Event.FAILED))
                                .count(),
                events,
                violations);
    }
}
