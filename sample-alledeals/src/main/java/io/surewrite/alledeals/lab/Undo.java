package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Run.Fate;
import io.surewrite.alledeals.lab.Timeline.Kind;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.retry.support.RetryTemplate;
import org.springframework.stereotype.Component;

/** A retry after a lost answer covers what somebody wrote meanwhile. */
@Component
class Undo implements Experiment {

    private static final String ANNA = "Anna";
    private static final String BERT = "Bert";

    private final PlainRows plain;
    private final LabRows sure;

    private final RetryTemplate retries = RetryTemplate.builder()
            .maxAttempts(5)
            .exponentialBackoff(20, 2, 200)
            .build();

    Undo(PlainRows plain, LabRows sure) {
        this.plain = plain;
        this.sure = sure;
    }

    @Override
    public String name() {
        return "undo";
    }

    @Override
    public Verdict plain(Run run) throws Exception {
        return whose(run, plain, annas -> retries.execute(attempt -> plain.save(annas)));
    }

    @Override
    public Verdict sure(Run run) throws Exception {
        return whose(run, sure, sure::save);
    }

    private Verdict whose(Run run, CassandraRepository<LabRow, String> rows, UnaryOperator<LabRow> save)
            throws Exception {
        String id = "address " + UUID.randomUUID();
        rows.save(LabRow.text(id, "the old address"));
        run.begin();
        run.watch("somebody", id);
        run.faults((message, random) ->
                message.who().equals(ANNA) && (message.number() == 1 || (message.number() == 2 && random.nextBoolean()))
                        ? Fate.lost(random)
                        : Fate.FINE);
        Run.together(List.<Callable<LabRow>>of(
                () -> run.as(ANNA, () -> save.apply(LabRow.text(id, "Anna’s address"))),
                () -> run.as(BERT, () -> {
                    run.await(ANNA, Kind.LOST);
                    return rows.save(LabRow.text(id, "Bert’s correction"));
                })));
        run.settle();
        String stays = String.valueOf(rows.findById(id).orElseThrow().text());
        return new Verdict("The row says: " + stays, stays.equals("Bert’s correction"));
    }
}
