package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Run.Fate;
import io.surewrite.alledeals.lab.Timeline.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.springframework.retry.support.RetryTemplate;
import org.springframework.stereotype.Component;

/** Two processes read the same sales and publish a report. The one that reads first writes last. */
@Component
class TwoReports implements Experiment {

    private static final int SOLD = 5;
    private static final String FIRST = "Process 1";
    private static final String SECOND = "Process 2";
    private static final String SHOP = "The shop";
    private static final int SLOW_MILLIS = 1000;
    private static final Duration HEAD_START = Duration.ofMillis(200);

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

    private Verdict report(Run run, BiConsumer<String, String> publication) throws Exception {
        String key = UUID.randomUUID().toString();
        String id = "report " + key;
        String sales = "sales " + key;
        rows.save(LabRow.units(sales, SOLD));
        run.begin();
        run.watch("the lease", key);
        run.faults((message, random) -> {
            if (!message.cql().contains("cass_lab_row") || message.number() > 1) {
                return Fate.FINE;
            }
            return switch (message.who()) {
                case FIRST -> message.isRead() ? Fate.behind(SHOP) : Fate.lost(random);
                case SECOND ->
                    message.isRead() ? Fate.slowAnswer(random.nextInt(SLOW_MILLIS, 2 * SLOW_MILLIS)) : Fate.FINE;
                default -> Fate.FINE;
            };
        });
        Run.together(List.<Callable<Boolean>>of(
                () -> run.as(FIRST, () -> publish(run, publication, id, sales)),
                () -> run.as(SECOND, () -> {
                    run.awaitAtMost(HEAD_START, FIRST, Kind.SENT);
                    return publish(run, publication, id, sales);
                }),
                () -> run.as(SHOP, () -> {
                    run.await(FIRST, Kind.SENT);
                    run.awaitAtMost(HEAD_START, SECOND, Kind.READ);
                    rows.save(LabRow.units(sales, SOLD + 1));
                    return true;
                })));
        run.settle();
        int published = sold(rows, id);
        return new Verdict(
                "The report says %d, and %d were sold".formatted(published, SOLD + 1), published == SOLD + 1);
    }

    private static boolean publish(Run run, BiConsumer<String, String> publication, String id, String sales) {
        publication.accept(id, sales);
        run.say("has published");
        return true;
    }
}
