package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Run.Fate;
import io.surewrite.alledeals.lab.Timeline.Kind;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.springframework.core.annotation.Order;
import org.springframework.retry.support.RetryTemplate;
import org.springframework.stereotype.Component;

/** Two processes read the same sales and publish a report. The one that read first writes last. */
@Component
@Order(8)
class TwoReports implements Experiment {

    private static final int SOLD = 5;
    private static final String FIRST = "Process 1";
    private static final String SECOND = "Process 2";
    private static final int SLOW_MILLIS = 500;
    private static final Text TEXT = new Text(
            "Two processes, one report",
            "Process 1 reads how many were sold: five. The answer is slow. Meanwhile a sixth is sold, and process 2"
                    + " begins. Its first write is lost, so it tries again. Which number stays in the report?",
            new Code("""
                retries.execute(attempt -> {
                    int sold = sold(rows, sales);
                    return rows.save(LabRow.units(id, sold));
                });
                """, "TwoReports.java"),
            new Code("""
                @Idempotent
                @WithLease(key = "'alledeals:lab:' + #id", waitAtMost = "20s")
                public void publish(String id, String sales) {
                """, "LabReports.java"),
            "leases",
            List.of(
                    new Why(
                            "Why does the old number stay?",
                            "Process 1 has read before process 2, and writes after it. A retry cannot help: nothing"
                                    + " failed in process 1."),
                    new Why(
                            "What does the lease do?",
                            "Process 2 waits until process 1 has written, and reads then. No attempt begins unless the"
                                    + " lease is held."),
                    new Why(
                            "What does @Idempotent add?",
                            "The second process’s lost write is tried again under the same lease, and all attempts"
                                    + " have one time, drawn under it: above all that earlier holders wrote."),
                    new Why(
                            "What does the seed decide?",
                            "How slow the answer is, up to a second, and what is lost of the second process’s"
                                    + " write.")));

    private final PlainRows rows;
    private final LabReports reports;

    private final RetryTemplate retries = RetryTemplate.builder()
            .maxAttempts(5)
            .exponentialBackoff(20, 2, 200)
            .build();

    TwoReports(PlainRows rows, LabReports reports) {
        this.rows = rows;
        this.reports = reports;
    }

    @Override
    public String name() {
        return "report";
    }

    @Override
    public Text text() {
        return TEXT;
    }

    @Override
    public Verdict plain(Run run) throws Exception {
        return report(run, this::publish);
    }

    private void publish(String id, String sales) {
        retries.execute(attempt -> {
            int sold = sold(rows, sales);
            return rows.save(LabRow.units(id, sold));
        });
    }

    @Override
    public Verdict sure(Run run) throws Exception {
        return report(run, reports::publish);
    }

    static int sold(PlainRows rows, String sales) {
        return Objects.requireNonNull(rows.findById(sales).orElseThrow().units());
    }

    private Verdict report(Run run, Publication publication) throws Exception {
        String key = UUID.randomUUID().toString();
        String id = "report " + key;
        String sales = "sales " + key;
        rows.save(LabRow.units(sales, SOLD));
        run.begin();
        run.watch("the lease", key);
        run.faults((message, random) -> {
            if (!message.cql().contains("cass_lab_row")) {
                return Fate.FINE;
            }
            if (message.who().equals(FIRST) && message.isRead() && message.number() == 1) {
                return Fate.slowAnswer(random.nextInt(SLOW_MILLIS, 2 * SLOW_MILLIS));
            }
            return message.who().equals(SECOND) && !message.isRead() && message.number() == 1
                    ? Fate.lost(random)
                    : Fate.FINE;
        });
        Run.together(List.<Callable<Boolean>>of(
                () -> run.as(FIRST, () -> {
                    publication.publish(id, sales);
                    run.say("has published");
                    return true;
                }),
                () -> run.as(SECOND, () -> {
                    run.await(FIRST, Kind.READ);
                    run.as("The shop", () -> rows.save(LabRow.units(sales, SOLD + 1)));
                    publication.publish(id, sales);
                    run.say("has published");
                    return true;
                })));
        run.settle();
        int published = sold(rows, id);
        return new Verdict(
                "The report says %d, and %d were sold".formatted(published, SOLD + 1), published == SOLD + 1);
    }

    /** How a process publishes. */
    private interface Publication {
        void publish(String id, String sales);
    }
}
