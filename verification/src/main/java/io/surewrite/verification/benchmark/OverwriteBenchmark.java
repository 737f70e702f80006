package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.overwrite.TombstoneBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.repository.MapIdCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/**
 * Rows of 40 columns, 20 of them null, 100 to a partition, each written ten times by {@code save} and by {@code overwrite},
 * beside rows that are written once without nulls: what is left on disk, and what reads and writes take.
 */
final class OverwriteBenchmark implements Benchmarks.Benchmark {

    private static final int PARTITIONS = 10;
    private static final int ROWS = 100;
    private static final int NULLS = 20;
    private static final int TIMES = 10;
    private static final String SAVE = "save";
    private static final String OVERWRITE = "overwrite";
    private static final String ONCE = "written once";

    interface WideRows extends MapIdCassandraRepository<WideRow> {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = WideRows.class))
    static class Application {}

    /** One way of writing rows, with an application and a keyspace of its own. */
    private static final class Way implements AutoCloseable {

        private final String name;
        private final ConfigurableApplicationContext application;
        private final CqlSession session;
        private final WideRows repository;
        private final RowOverwrites overwrites;
        private final PreparedStatement select;
        private final Times writes = new Times();

        Way(String name, EmbeddedCassandra server) {
            this.name = name;
            this.application =
                    MeasuredApplication.start(Application.class, server, keyspace(), MeasuredApplication.WITH_TABLES);
            this.session = application.getBean(CqlSession.class);
            this.repository = application.getBean(WideRows.class);
            this.overwrites = application.getBean(RowOverwrites.class);
            this.select = session.prepare("SELECT * FROM wide_row WHERE p = ?");
        }

        String keyspace() {
            return name.replace(' ', '_');
        }

        void write(WideRow row) {
            switch (name) {
                case SAVE -> repository.save(row);
                case OVERWRITE -> overwrites.overwrite(row);
                default -> repository.insert(row);
            }
        }

        void readAny() {
            session.execute(select.bind(ThreadLocalRandom.current().nextInt(PARTITIONS))
                            .setPageSize(5000))
                    .forEach(row -> row.getInt(1));
        }

        double tombstones() {
            return TombstoneBudget.in(session)
                    .assertThat("SELECT * FROM wide_row WHERE p = ?", 0)
                    .count()
                    .tombstones();
        }

        @Override
        public void close() {
            application.close();
        }
    }

    @Override
    public void measure(EmbeddedCassandra server, Duration howLong, Results results) throws Exception {
        try (NodeJmx jmx = NodeJmx.attach(server.node(0).pid());
                Way save = new Way(SAVE, server);
                Way overwrite = new Way(OVERWRITE, server);
                Way once = new Way(ONCE, server)) {
            List<Way> ways = List.of(save, overwrite, once);
            for (Way way : ways) {
                Throughput.perSecond(
                        howLong.dividedBy(ways.size()), List.of(() -> way.write(any(ThreadLocalRandom.current()))));
                way.session.execute("TRUNCATE wide_row");
            }
            Random random = new Random(1);
            for (int time = 0; time <= TIMES; time++) {
                writeAll(time == TIMES ? ways : List.of(save, overwrite), random);
                for (Way way : ways) {
                    jmx.flush(way.keyspace());
                }
            }
            reads(ways, howLong).compare(results, "overwrite: read of 100 rows", "save: read of 100 rows", 0.75);
            results.ratio("overwrite: tombstones a read", "", overwrite.tombstones(), "save", save.tombstones());
            for (Way way : ways) {
                jmx.compact(way.keyspace());
            }
            Contest compacted = reads(ways, howLong);
            compacted.compare(results, "overwrite: read of 100 rows", "save: read of 100 rows", 0.85);
            compacted.compare(results, "overwrite: read of 100 rows", "written once: read of 100 rows", 1.08);
            double bytes = jmx.bytesOnDisk(overwrite.keyspace(), "wide_row");
            results.ratio("overwrite: on disk", "B", bytes, SAVE, jmx.bytesOnDisk(save.keyspace(), "wide_row"));
            results.atMost(1.03, "overwrite: on disk", "B", bytes, ONCE, jmx.bytesOnDisk(once.keyspace(), "wide_row"));
            results.atMost(
                    1.03,
                    "overwrite: write of a row, p50",
                    "ms",
                    overwrite.writes.percentileMillis(0.5),
                    SAVE,
                    save.writes.percentileMillis(0.5));
        }
    }

    private static WideRow any(Random random) {
        return WideRow.random(random.nextInt(PARTITIONS), random.nextInt(ROWS), NULLS, random);
    }

    private static void writeAll(List<Way> ways, Random random) {
        List<Way> order = new ArrayList<>(ways);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (int row = 0; row < ROWS; row++) {
                WideRow values = WideRow.random(partition, row, NULLS, random);
                Collections.shuffle(order, random);
                order.forEach(way -> way.writes.time(() -> way.write(values)));
            }
        }
    }

    private static Contest reads(List<Way> ways, Duration howLong) throws Exception {
        Contest contest = new Contest();
        ways.forEach(way -> contest.with(way.name + ": read of 100 rows", way::readAny));
        return contest.run(howLong);
    }
}
