package io.surewrite.verification.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.util.FileSystemUtils;

/**
 * Clients that write rows, retried or kept for later: what was acknowledged is there at QUORUM, or the client that kept it
 * reported it as lost. Nothing older lies over something newer, no row is a mix, and nothing is there that was not written.
 */
record WriteTrial(int clients, String mode) implements Trial {

    @Override
    public void begin(Run run) throws IOException {
        FileSystemUtils.deleteRecursively(WriteClient.backlogs(run.directory()));
        for (int i = 0; i < clients; i++) {
            run.startClient(WriteClient.class, mode);
        }
    }

    @Override
    public void lookAtTheEnd(Run run) {
        WrittenRows.readAll(run.application().getBean(CassandraOperations.class), run.history());
    }

    @Override
    public Verdict judge(List<Event> events) {
        long acknowledged = count(events, Event.ACKNOWLEDGED);
        String summary =
                "Writes: %d acknowledged, %d reads; %d disks damaged, %d starts refused, %d writes reported as lost at least"
                        .formatted(
                                acknowledged,
                                count(events, Event.READ),
                                count(events, Event.DAMAGED),
                                count(events, Event.LOST),
                                sum(events, Event.LOST));
        List<String> violations = new ArrayList<>(
                silentLosses(events).stream().map(Violation::sentence).toList());
        if (sum(events, Event.DIED) > 0) {
            violations.add(sum(events, Event.DIED) + " dead letters");
        }
        return new Verdict(summary, acknowledged, violations);
    }

    /** What is wrong, but for losses of a client that reported some: it knows how many there are at least. */
    static List<Violation> silentLosses(List<Event> events) {
        Set<String> reported = events.stream()
                .filter(event -> event.is(Event.LOST) && event.number() > 0)
                .map(event -> WriteClient.client(event.who()))
                .collect(Collectors.toSet());
        return WrittenRows.violations(events).stream()
                .filter(violation -> !violation.isLoss() || !reported.contains(WriteClient.client(violation.subject())))
                .toList();
    }

    private static long count(List<Event> events, String what) {
        return events.stream().filter(event -> event.is(what)).count();
    }

    private static long sum(List<Event> events, String what) {
        return events.stream()
                .filter(event -> event.is(what))
                .mapToLong(Event::number)
                .sum();
    }
}
