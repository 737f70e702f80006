package io.surewrite.verification.journal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.verification.MeasuredApplication;
import io.surewrite.verification.Times;
import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Goal;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * 100,000 values of 20 attributes of one entity over 24 months: what {@code current} and {@code asOf} cost, beside the plain
 * read of a row with the same 20 values. Then entities with 100 to 1,000,000 entries in one month: what all calls cost
 * there, and the first entry of the month after. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-journal package}; {@code -Dverification.argument=1000,10000} reads
 * half as often, and goes up to 10,000 entries.
 */
public final class JournalBenchmark {

    private static final int ATTRIBUTES = 20;
    private static final int RECORDINGS = 5_000;
    private static final Duration SPAN = Duration.ofDays(730);
    private static final List<Integer> WIDTHS = List.of(100, 10_000, 100_000, 1_000_000);
    private static final int IN_FLIGHT = 200;
    private static final int PAGE = 20;
    private static final int MILLIS_ALLOWED = 50;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private JournalBenchmark() {}

    /**
     * Runs the benchmark and prints its result.
     *
     * @param args how many reads, and the most entries of a month; without the latter no month is filled
     */
    public static void main(String[] args) {
        String[] numbers = args[0].split(",", -1);
        int reads = Integer.parseInt(numbers[0]);
        int widest = numbers.length == 1 ? 0 : Integer.parseInt(numbers[1]);
        Figures figures = Figures.of("journal", args[0]);
        try (EmbeddedCassandra server = EmbeddedCassandra.builder().start()) {
            figures.on(server, "first compiler only");
            try (ConfigurableApplicationContext application =
                    MeasuredApplication.start(Application.class, server, "journal", "surewrite.journal.enabled=true")) {
                CqlSession session = application.getBean(CqlSession.class);
                AttributeJournal journal = application.getBean(AttributeJournal.class);
                run(session, journal, reads, figures);
                for (int width : WIDTHS) {
                    if (width <= widest) {
                        runWide(session, journal, width, reads / 10, figures);
                    }
                }
            }
        }
    }

    private static void run(CqlSession session, AttributeJournal journal, int reads, Figures figures) {
        StringBuilder ddl = new StringBuilder("CREATE TABLE plain (id text PRIMARY KEY");
        for (int i = 0; i < ATTRIBUTES; i++) {
            ddl.append(", a").append(i).append(" text");
        }
        session.execute(ddl.append(")").toString());
        Instant begin = Instant.now().minus(SPAN);
        Map<String, Object> values = new HashMap<>();
        for (int n = 0; n < RECORDINGS; n++) {
            for (int i = 0; i < ATTRIBUTES; i++) {
                values.put("a" + i, "value " + i + " of " + n);
            }
            journal.record("e", values, begin.plus(SPAN.dividedBy(RECORDINGS).multipliedBy(n)));
        }
        session.execute("INSERT INTO plain JSON ?", json(values));

        PreparedStatement select = session.prepare("SELECT * FROM plain WHERE id = 'e'");
        Random random = new Random(1);
        Times plain = new Times();
        Times current = new Times();
        Times asOf = new Times();
        for (int i = -reads; i < reads; i++) {
            if (i == 0) {
                List.of(plain, current, asOf).forEach(Times::reset);
            }
            plain.time(() -> readPlain(session, select));
            current.time(() -> journal.current("e"));
            if (i % 10 == 0) {
                Instant at = begin.plus(SPAN.dividedBy(1000).multipliedBy(random.nextInt(1000)));
                asOf.time(() -> journal.asOf("e", at));
            }
        }
        String recorded = ", %,d values recorded".formatted(RECORDINGS * ATTRIBUTES);
        String row = "plain read of a row";
        figures.add(Figure.ratio("current, p50" + recorded, "ms", median(current), row, median(plain))
                .withGoal(Goal.atMost(1.5)));
        figures.add(Figure.ratio("asOf, p50" + recorded, "ms", median(asOf), row, median(plain)));
    }

    /** Fills the month before this one, and comes to this one in the end. */
    private static void runWide(CqlSession session, AttributeJournal journal, int width, int calls, Figures figures) {
        YearMonth thisMonth = YearMonth.now(ZoneOffset.UTC);
        Instant begin = thisMonth.minusMonths(1).atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
        Instant end = thisMonth.atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
        Duration step = Duration.between(begin, end).dividedBy(width / ATTRIBUTES + 1);
        String entity = "with " + width;
        Map<String, Object> values = new HashMap<>();
        for (int i = 0; i < ATTRIBUTES; i++) {
            values.put("a" + i, "value " + i);
        }
        journal.record(entity, values, begin);
        fill(session, entity, width, begin, step);
        journal.record(entity, values, end.minusSeconds(1));

        Random random = new Random(width);
        Times record = new Times();
        Times current = new Times();
        Times asOf = new Times();
        Times history = new Times();
        for (int i = -calls; i < calls; i++) {
            if (i == 0) {
                List.of(record, current, asOf, history).forEach(Times::reset);
            }
            Instant at = begin.plus(step.multipliedBy(random.nextInt(width / ATTRIBUTES)));
            record.time(() -> journal.record(entity, Map.of("a0", "new"), at));
            current.time(() -> journal.current(entity));
            asOf.time(() -> journal.asOf(entity, at));
            history.time(() -> journal.history(entity, "a7", at, PAGE));
        }
        Times next = new Times();
        next.time(() -> journal.record(entity, Map.of("a0", "next"), Instant.now()));
        String in = ", %,d entries in a month".formatted(width);
        figures.add(Figure.value("record, p50" + in, "ms", median(record)));
        figures.add(Figure.value("current, p50" + in, "ms", median(current)));
        figures.add(Figure.value("asOf, p50" + in, "ms", median(asOf)));
        figures.add(Figure.value("asOf, p99" + in, "ms", asOf.percentileMillis(0.99))
                .withGoal(Goal.atMost(MILLIS_ALLOWED)));
        figures.add(Figure.value("history, a page of %d, p50".formatted(PAGE) + in, "ms", median(history)));
        figures.add(Figure.value("first record of the month after, once" + in, "ms", next.percentileMillis(1)));
    }

    /** Past the journal, which would take an hour for a million entries. */
    private static void fill(CqlSession session, String entity, int width, Instant begin, Duration step) {
        String bucket = String.valueOf(
                session.execute("SELECT bucket FROM surewrite_journal WHERE entity = ? LIMIT 1 ALLOW FILTERING", entity)
                        .all()
                        .get(0)
                        .getString(0));
        PreparedStatement insert = session.prepare("""
                INSERT INTO surewrite_journal (entity, bucket, attribute, at, value) VALUES (?, ?, ?, ?, ?)
                USING TIMESTAMP ?""");
        Semaphore room = new Semaphore(IN_FLIGHT);
        AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
        for (int n = ATTRIBUTES; n < width; n++) {
            Instant at = begin.plus(step.multipliedBy(n / ATTRIBUTES));
            long micros = ChronoUnit.MICROS.between(Instant.EPOCH, at);
            room.acquireUninterruptibly();
            var unused = session.executeAsync(
                            insert.bind(entity, bucket, "a" + n % ATTRIBUTES, micros, "t:value " + n, micros))
                    .whenComplete((done, failure) -> {
                        room.release();
                        failed.compareAndSet(null, failure);
                    });
        }
        room.acquireUninterruptibly(IN_FLIGHT);
        if (failed.get() != null) {
            throw new IllegalStateException("The month could not be filled", failed.get());
        }
    }

    private static String json(Map<String, Object> values) {
        StringBuilder json = new StringBuilder("{\"id\": \"e\"");
        values.forEach((name, value) ->
                json.append(", \"").append(name).append("\": \"").append(value).append('"'));
        return json.append('}').toString();
    }

    private static void readPlain(CqlSession session, PreparedStatement select) {
        for (Row row : session.execute(select.bind())) {
            for (int i = 1; i <= ATTRIBUTES; i++) {
                row.getString(i);
            }
        }
    }

    private static double median(Times times) {
        return times.percentileMillis(0.5);
    }
}
