package io.surewrite.verification.journal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.verification.Times;
import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Goal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * 100,000 values of 20 attributes of one entity over 24 months: what {@code current} and {@code asOf} cost, beside the plain
 * read of a row with the same 20 values. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-journal package}; {@code -Dverification.argument=1000} reads half
 * as often.
 */
public final class JournalBenchmark {

    private static final int ATTRIBUTES = 20;
    private static final int RECORDINGS = 5_000;
    private static final Duration SPAN = Duration.ofDays(730);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private JournalBenchmark() {}

    /**
     * Runs the benchmark and prints its result.
     *
     * @param args how many reads
     */
    public static void main(String[] args) {
        int reads = Integer.parseInt(args[0]);
        Figures figures = Figures.of("journal", args[0]);
        try (EmbeddedCassandra server = EmbeddedCassandra.builder().start()) {
            figures.on(server, "first compiler only");
            server.createKeyspace("journal");
            try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .bannerMode(Banner.Mode.OFF)
                    .logStartupInfo(false)
                    .properties(
                            "spring.cassandra.contact-points=127.0.0.1:"
                                    + server.contactPoint().getPort(),
                            "spring.cassandra.local-datacenter=" + server.localDatacenter(),
                            "spring.cassandra.keyspace-name=journal",
                            "spring.cassandra.request.timeout=30s",
                            "surewrite.schema.initialize=always",
                            "surewrite.journal.enabled=true")
                    .run()) {
                run(application.getBean(CqlSession.class), application.getBean(AttributeJournal.class), reads, figures);
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
