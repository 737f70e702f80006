package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.overwrite.RowOverwrites;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.repository.MapIdCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/**
 * Rows of 40 columns, 20 of them null, 100 to a partition, written again and again by {@code save} and by {@code overwrite},
 * beside rows that are written once without nulls: what writes take, and reads of what is left.
 */
final class OverwriteBenchmark implements Benchmarks.Benchmark {

    private static final int PARTITIONS = 10;
    private static final int ROWS = 100;
    private static final Pattern READ = Pattern.compile("Read \\d+ live rows and (\\d+) tombstone");

    interface WideRows extends MapIdCassandraRepository<WideRow> {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = WideRows.class))
    static class Application {}

    /** One way of writing rows, with an application and a keyspace of its own. */
    private record Way(ConfigurableApplicationContext application, CqlSession session, PreparedStatement select)
            implements AutoCloseable {

        static Way in(String keyspace, EmbeddedCassandra server) {
            ConfigurableApplicationContext application =
                    MeasuredApplication.start(Application.class, server, keyspace, MeasuredApplication.WITH_TABLES);
            CqlSession session = application.getBean(CqlSession.class);
            return new Way(application, session, session.prepare("SELECT * FROM wide_row WHERE p = ?"));
        }

        void readAny() {
            session.execute(select.bind(ThreadLocalRandom.current().nextInt(PARTITIONS))
                            .setPageSize(5000))
                    .forEach(row -> row.getString(2));
        }

        /** As the server says in its trace, which is there a moment after the answer. */
        double tombstones() throws InterruptedException {
            ExecutionInfo read =
                    session.execute(select.bind(0).setTracing(true)).getExecutionInfo();
            Thread.sleep(1_000);
            return read.getQueryTrace().getEvents().stream()
                    .map(event -> READ.matcher(String.valueOf(event.getActivity())))
                    .filter(Matcher::find)
                    .mapToLong(found -> Long.parseLong(found.group(1)))
                    .max()
                    .orElseThrow();
        }

        @Override
        public void close() {
            application.close();
        }
    }

    @Override
    public void measure(EmbeddedCassandra server, Duration howLong, Results results) throws Exception {
        try (Way save = Way.in("saved", server);
                Way overwrite = Way.in("overwritten", server);
                Way once = Way.in("once", server)) {
            WideRows saved = save.application.getBean(WideRows.class);
            RowOverwrites overwritten = overwrite.application.getBean(RowOverwrites.class);
            WideRows inserted = once.application.getBean(WideRows.class);
            forEachRow(saved::save);
            forEachRow(overwritten::overwrite);
            forEachRow(inserted::insert);
            new Contest()
                    .with("save of a row", () -> saved.save(any()))
                    .with("overwrite of a row", () -> overwritten.overwrite(any()))
                    .run(howLong)
                    .compare(results, "overwrite of a row", "save of a row", 1.03);
            server.node(0).drain(); // what is in memory goes to disk
            server.node(0).restart();
            Contest reads = new Contest()
                    .with("overwrite: read of 100 rows", overwrite::readAny)
                    .with("save: read of 100 rows", save::readAny)
                    .with("written once: read of 100 rows", once::readAny)
                    .run(howLong);
            reads.compare(results, "overwrite: read of 100 rows", "save: read of 100 rows", 0.85);
            reads.compare(results, "overwrite: read of 100 rows", "written once: read of 100 rows", 1.08);
            results.ratio("overwrite: tombstones a read", "", overwrite.tombstones(), "save", save.tombstones());
        }
    }

    private static void forEachRow(Consumer<WideRow> write) {
        for (int number = 0; number < PARTITIONS * ROWS; number++) {
            write.accept(WideRow.random(number / ROWS, number % ROWS, new Random(number)));
        }
    }

    private static WideRow any() {
        Random random = ThreadLocalRandom.current();
        return WideRow.random(random.nextInt(PARTITIONS), random.nextInt(ROWS), random);
    }
}
