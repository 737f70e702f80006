package io.surewrite.verification.faults;

import io.surewrite.lease.LeaseLocks;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Clients that always want the same leases: no two holders overlap, tokens rise, and no name stays blocked. */
record LeaseTrial(int clients, Duration longestBlocked) implements Trial {

    static final Duration LONGEST_BLOCKED = LeaseClient.TTL.plusSeconds(1);

    @Override
    public void begin(Run run) throws IOException {
        run.application().getBean(LeaseLocks.class); // makes the table
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
