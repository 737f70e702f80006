package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.verification.benchmark.MeasuredApplication.Bare;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.context.ConfigurableApplicationContext;

/** 100,000 values of 20 attributes of one entity over two years, beside the plain read of a row with the same 20 values. */
final class JournalBenchmark implements Benchmarks.Benchmark {

    private static final int ATTRIBUTES = 20;
    private static final int RECORDINGS = 5_000;
    private static final Duration SPAN = Duration.ofDays(730);

    @Override
    public void measure(EmbeddedCassandra server, Duration howLong, Results results) throws Exception {
        try (ConfigurableApplicationContext application =
                MeasuredApplication.start(Bare.class, server, "journal", "surewrite.journal.enabled=true")) {
            CqlSession session = application.getBean(CqlSession.class);
            AttributeJournal journal = application.getBean(AttributeJournal.class);
            Instant begin = Instant.now().minus(SPAN);
            Duration step = SPAN.dividedBy(RECORDINGS);
            for (int n = 0; n < RECORDINGS; n++) {
                journal.record("e", values(n), begin.plus(step.multipliedBy(n)));
            }
            PreparedStatement select = plainRow(session);
            Contest contest = new Contest()
                    .with("current", () -> journal.current("e"))
                    .with(
                            "asOf",
                            () -> journal.asOf(
                                    "e",
                                    begin.plus(step.multipliedBy(
                                            ThreadLocalRandom.current().nextInt(RECORDINGS)))))
                    .with("plain read of a row", () -> read(session, select))
                    .run(howLong);
            contest.compare(results, "current", "plain read of a row", 1.5);
            contest.compare(results, "asOf", "plain read of a row");
        }
    }

    private static Map<String, Object> values(int number) {
        return IntStream.range(0, ATTRIBUTES)
                .boxed()
                .collect(Collectors.toMap(
                        attribute -> "a" + attribute, attribute -> "value " + attribute + " of " + number));
    }

    private static PreparedStatement plainRow(CqlSession session) {
        String columns = IntStream.range(0, ATTRIBUTES)
                .mapToObj(attribute -> ", a" + attribute + " text")
                .collect(Collectors.joining());
        session.execute("CREATE TABLE plain (id text PRIMARY KEY" + columns + ")");
        String values = values(0).entrySet().stream()
                .map(value -> ", \"%s\": \"%s\"".formatted(value.getKey(), value.getValue()))
                .collect(Collectors.joining());
        session.execute("INSERT INTO plain JSON ?", "{\"id\": \"e\"" + values + "}");
        return session.prepare("SELECT * FROM plain WHERE id = 'e'");
    }

    private static void read(CqlSession session, PreparedStatement select) {
        for (Row row : session.execute(select.bind())) {
            for (int i = 1; i <= ATTRIBUTES; i++) {
                row.getString(i);
            }
        }
    }
}
