package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Run.Fate;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.journal.AttributeJournal.JournalEntry;
import io.surewrite.journal.AttributeValue;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntConsumer;
import org.springframework.stereotype.Component;

/** A row knows its last value, and that is the one which came last. A journal knows all, and when each became true. */
@Component
class LostHistory implements Experiment {

    private static final List<String> CITIES = List.of("Antwerp", "Bruges", "Ghent");
    private static final Duration APART = Duration.ofHours(1);
    private static final int LATEST_MILLIS = 200;

    private static final String CITY = "city";

    private final PlainRows rows;
    private final AttributeJournal journal;

    LostHistory(PlainRows rows, AttributeJournal journal) {
        this.rows = rows;
        this.journal = journal;
    }

    @Override
    public String name() {
        return "journal";
    }

    @Override
    public Verdict plain(Run run) throws Exception {
        String id = "lab " + UUID.randomUUID();
        run.begin();
        run.watch("the shop", id);
        hear(run, move -> rows.save(LabRow.text(id, CITIES.get(move))));
        String city = String.valueOf(rows.findById(id).orElseThrow().text());
        rows.deleteById(id);
        run.settle();
        return new Verdict("Now: %s. The parcel: the row cannot say".formatted(city), false);
    }

    @Override
    public Verdict sure(Run run) throws Exception {
        String id = "lab " + UUID.randomUUID();
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        run.begin();
        run.watch("the shop", id);
        hear(run, move -> journal.record(id, Map.of(CITY, CITIES.get(move)), since(now, move)));
        List<String> known = new ArrayList<>();
        for (JournalEntry entry : journal.history(id, CITY, null, CITIES.size() + 1)) {
            known.add(0, String.valueOf(entry.value().toObject()));
        }
        Instant parcel = since(now, 2).minusSeconds(1);
        String then = journal.asOf(id, parcel)
                .value(CITY)
                .map(AttributeValue::toObject)
                .map(String::valueOf)
                .orElse("nothing");
        String today = journal.current(id)
                .value(CITY)
                .map(AttributeValue::toObject)
                .map(String::valueOf)
                .orElse("nothing");
        journal.forget(id);
        boolean isForgotten = journal.current(id).attributes().isEmpty()
                && journal.history(id, CITY, null, 1).isEmpty();
        run.settle();
        return new Verdict(
                "Now: %s. The parcel: %s. All: %s. When forgotten: %s"
                        .formatted(today, then, String.join(", ", known), isForgotten ? "nothing" : "something"),
                known.equals(CITIES) && then.equals("Bruges") && today.equals("Ghent") && isForgotten);
    }

    /** Three processes, each of which hears of one move. */
    private static void hear(Run run, IntConsumer report) throws Exception {
        run.faults((message, random) -> message.number() == 1 ? Fate.slow(random.nextInt(LATEST_MILLIS)) : Fate.FINE);
        run.atOnce(CITIES.size(), "Process", process -> {
            report.accept(process - 1);
            return true;
        });
    }

    private static Instant since(Instant now, int move) {
        return now.minus(APART.multipliedBy(CITIES.size() - move));
    }
}
