package io.surewrite.verification.journal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.journal.AttributeJournal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
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
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-journal package}.
 */
public final class JournalBenchmark {

    private static final int ATTRIBUTES = 20;
    private static final int RECORDINGS = 5_000;
    private static final int READS = 2_000;
    private static final Duration SPAN = Duration.ofDays(730);
    private static final double GOAL = 1.5;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private JournalBenchmark() {}

    /**
     * Runs the benchmark and prints its result.
     *
     * @param args none
     */
    public static void main(String[] args) {
        try (EmbeddedCassandra server = EmbeddedCassandra.builder().start()) {
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
                run(application.getBean(CqlSession.class), application.getBean(AttributeJournal.class));
            }
        }
    }

    private static void run(CqlSession session, AttributeJournal journal) {
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
        long[] plain = new long[READS];
        long[] current = new long[READS];
        long[] asOf = new long[READS];
        for (int warm = 0; warm < 2; warm++) {
            for (int i = 0; i < READS; i++) {
                plain[i] = time(() -> readPlain(session, select));
                current[i] = time(() -> journal.current("e"));
                Instant at = begin.plus(SPAN.dividedBy(1000).multipliedBy(random.nextInt(1000)));
                asOf[i] = i % 10 == 0 ? time(() -> journal.asOf("e", at)) : asOf[i - 1];
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d values recorded%nplain row read   p50 %.3f ms%ncurrent          p50 %.3f ms%nasOf             p50 %.3f ms%n"
                        + "current ÷ plain row read  %.2f (goal: at most %.2f, %s)%n",
                RECORDINGS * ATTRIBUTES,
                median(plain),
                median(current),
                median(asOf),
                median(current) / median(plain),
                GOAL,
                median(current) / median(plain) <= GOAL ? "met" : "missed");
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

    private static long time(Runnable action) {
        long start = System.nanoTime();
        action.run();
        return System.nanoTime() - start;
    }

    private static double median(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2] / 1e6;
    }
}
