package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Run.Fate;
import io.surewrite.alledeals.lab.Timeline.Kind;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.springframework.core.annotation.Order;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.retry.support.RetryTemplate;
import org.springframework.stereotype.Component;

/** A retry after a lost answer covers what somebody wrote meanwhile. */
@Component
@Order(1)
class Undo implements Experiment {

    private static final String ANNA = "Anna";
    private static final String BERT = "Bert";
    private static final Text TEXT = new Text(
            "undo",
            "A retry undoes a correction",
            "Anna saves an address. She hears nothing: a timeout. Before she tries again, Bert corrects the address."
                    + " Whose address stays?",
            new Code("retries.execute(attempt -> plain.save(annas))", "Undo.java"),
            new Code("""
                @Idempotent(extendTtl = true)
                interface LabRows extends CassandraRepository<LabRow, String> {}
                """, "LabRows.java"),
            "retry",
            List.of(
                    new Why(
                            "What does “as of” mean?",
                            "The write time, in milliseconds since the start. In Cassandra the write with the later"
                                    + " time stays, whichever arrives last."),
                    new Why(
                            "Why does the plain retry win?",
                            "It is a new write with a new time, later than Bert’s. Surewrite’s retries carry the time"
                                    + " of the first attempt."),
                    new Why(
                            "What does the seed decide?",
                            "What is lost: the request, the answer, or the patience, so that the request arrives after"
                                    + " all. And whether the second attempt is lost, too.")));

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
    public Text text() {
        return TEXT;
    }

    @Override
    public Verdict plain(Run run) throws Exception {
        return whose(run, plain, annas -> retries.execute(attempt -> plain.save(annas)));
    }

    @Override
    public Verdict sure(Run run) throws Exception {
        return whose(run, sure, sure::save);
    }

    private Verdict whose(Run run, CassandraRepository<LabRow, String> rows, UnaryOperator<LabRow> save) throws Exception {
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
