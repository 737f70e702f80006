package io.surewrite.verification.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Clients that always want the same leases, while they and the nodes are paused and killed: no two holders overlap,
 * tokens rise, and no name stays blocked. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pfaults-lease package}; {@code -Dverification.argument=1200} makes it last
 * 20 minutes.
 */
public final class LeaseFaults implements Trial {

    static final Duration LONGEST_BLOCKED = LeaseClient.TTL.plusSeconds(1);

    private final int clients;
    private final Duration longestBlocked;

    LeaseFaults(int clients, Duration longestBlocked) {
        this.clients = clients;
        this.longestBlocked = longestBlocked;
    }

    /**
     * Runs for a while and throws if anything was wrong.
     *
     * @param args how many seconds
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        Ordeal.run("lease", args[0], List.of(new LeaseFaults(3, LONGEST_BLOCKED)))
                .throwIfWrong();
    }

    @Override
    public void begin(Run run) throws IOException {
        LeaseClient.createTable(run.connection());
        for (int i = 0; i < clients; i++) {
            run.startClient(LeaseClient.class);
        }
    }

    @Override
    public Verdict judge(List<Event> events) {
        LeaseChecker checker = new LeaseChecker(events, longestBlocked);
        List<String> violations = checker.violations();
        String summary =
                "Leases: %d holds seen; without a holder for at most %d ms while nobody was disturbed (permitted: %d ms)"
                        .formatted(
                                checker.holds(), checker.longestWithoutHolder().toMillis(), longestBlocked.toMillis());
        return new Verdict(summary, checker.holds(), violations);
    }
}
