package io.surewrite.verification.overwrite;

import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.overwrite.TombstoneCount;
import io.surewrite.verification.Arguments;
import io.surewrite.verification.ServerJmx;
import io.surewrite.verification.Throughput;
import io.surewrite.verification.figures.Figures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Rows of 40 columns, 10 and then 20 of them null, 100 to a partition, each overwritten ten times: by {@code save}, by
 * {@code insert}, which leaves nulls out, by {@code overwrite} and by {@code overwritePartition}, alternating in one run, beside rows that
 * are written once. Prints what is left on disk and what reads and writes cost, and draws it. Then 5,000 rows with 21 nulls, read on a
 * server with Cassandra's own limits for tombstones. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-overwrite package};
 * {@code -Dverification.argument=overwrites.md,5,8} draws elsewhere, overwrites half as often, and lets each way warm up for 8
 * seconds before writes and before reads, not 15.
 */
public final class OverwriteBenchmark {

    private static final String TABLE = "wide_row";
    private static final int PARTITIONS = 10;
    private static final int ROWS = 100;
    private static final int READS = 1_000;
    private static final int MANY_ROWS = 5_000;
    private static final int MANY_NULLS = 21;
    /** The ends of the range; the last one is drawn. */
    private static final List<Integer> NULLS = List.of(10, 20);

    private final Map<Way.Kind, Way> ways;
    private final ServerJmx jmx;
    private final int nulls;
    private final int overwrites;
    private final Duration warming;
    private final Random random;

    private OverwriteBenchmark(
            Map<Way.Kind, Way> ways, ServerJmx jmx, int nulls, int overwrites, Duration warming, Random random) {
        this.ways = ways;
        this.jmx = jmx;
        this.nulls = nulls;
        this.overwrites = overwrites;
        this.warming = warming;
        this.random = random;
    }

    /**
     * Runs the benchmark.
     *
     * @param args the page to draw in, and how often each row is overwritten, and for how many seconds
     *     each way warms up with 16 threads, so that the compilers of client and server have done most of it; one text with
     *     commas
     * @throws Exception when the server cannot be started or asked
     */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, "target/overwrites.md", "10", "15");
        Figures figures = Figures.of("overwrite", arguments.toString());
        long seed = 20261121;
        System.out.println("Seed " + seed);
        // Without warnings of tombstones, which would only slow the reads after save further.
        try (EmbeddedCassandra server = EmbeddedCassandra.builder()
                        .setting("tombstone_warn_threshold", 1_000_000)
                        .setting("tombstone_failure_threshold", 10_000_000)
                        // As in production: the embedded server stops at the first compiler by default, to start soon.
                        .jvmArgument("-XX:TieredStopAtLevel=4")
                        .start();
                ServerJmx jmx = ServerJmx.attach(server.node(0).pid())) {
            figures.on(server);
            Map<Way.Kind, Way> ways = new EnumMap<>(Way.Kind.class);
            try {
                for (Way.Kind kind : Way.Kind.values()) {
                    ways.put(kind, new Way(kind, server));
                }
                for (int nulls : NULLS) {
                    List<Measured> measured = new OverwriteBenchmark(
                                    ways, jmx, nulls, arguments.number(1), arguments.seconds(2), new Random(seed))
                            .run();
                    OverwriteReport.print(nulls, measured, figures);
                    OverwriteReport.draw(
                            OverwriteReport.drawing(nulls, arguments.number(1), measured), Path.of(arguments.text(0)));
                }
            } finally {
                ways.values().forEach(Way::close);
            }
        }
        readManyAtDefaultLimits(new Random(seed), figures);
    }

    /** Cassandra warns from 1,000 tombstones on, and fails a read that meets more than 100,000. */
    private static void readManyAtDefaultLimits(Random random, Figures figures) throws Exception {
        try (EmbeddedCassandra server = EmbeddedCassandra.builder().start();
                Way save = new Way(Way.Kind.SAVE, server);
                Way overwrite = new Way(Way.Kind.OVERWRITE, server)) {
            for (int row = 0; row < MANY_ROWS; row++) {
                WideRow values = WideRow.random(0, row, MANY_NULLS, random);
                save.write(values);
                overwrite.write(values);
            }
            OverwriteReport.limits(MANY_ROWS, MANY_NULLS, fails(save), fails(overwrite), overwrite.read(0), figures);
        }
    }

    private static boolean fails(Way way) {
        try {
            way.read(0);
            return false;
        } catch (ReadFailureException tooManyTombstones) {
            return true;
        }
    }

    private List<Measured> run() throws Exception {
        for (Way way : ways.values()) {
            Throughput.perSecond(warming, List.of(() -> way.write(anyRow(ThreadLocalRandom.current()))));
            way.empty();
        }
        writeOnce(false); // gives the first overwrite something to overwrite
        flush();
        ways.values().forEach(way -> way.writes.reset());
        for (int i = 0; i < overwrites; i++) {
            writeOnce(i == overwrites - 1);
            flush();
            System.out.println("Overwritten " + (i + 1) + " times");
        }
        Map<Way.Kind, ReadTimes> asWritten = readTimes();
        for (Way way : ways.values()) {
            jmx.compact(way.keyspace());
        }
        Map<Way.Kind, ReadTimes> compacted = readTimes();
        List<Measured> measured = new ArrayList<>();
        for (Map.Entry<Way.Kind, Way> entry : ways.entrySet()) {
            Way.Kind kind = entry.getKey();
            measured.add(measure(
                    kind,
                    entry.getValue(),
                    Objects.requireNonNull(asWritten.get(kind)),
                    Objects.requireNonNull(compacted.get(kind))));
        }
        return measured;
    }

    private Map<Way.Kind, ReadTimes> readTimes() throws Exception {
        Map<Way.Kind, ServerJmx.Reads> before = new EnumMap<>(Way.Kind.class);
        for (Way way : ways.values()) {
            Throughput.perSecond(
                    warming, List.of(() -> way.read(ThreadLocalRandom.current().nextInt(PARTITIONS))));
            way.reads.reset();
        }
        for (Map.Entry<Way.Kind, Way> each : ways.entrySet()) {
            before.put(each.getKey(), jmx.reads(each.getValue().keyspace(), TABLE));
        }
        readOften(READS);
        Map<Way.Kind, ReadTimes> times = new EnumMap<>(Way.Kind.class);
        for (Map.Entry<Way.Kind, Way> each : ways.entrySet()) {
            ServerJmx.Reads since = Objects.requireNonNull(before.get(each.getKey()));
            times.put(
                    each.getKey(),
                    new ReadTimes(
                            each.getValue().reads.percentileMillis(0.5),
                            jmx.reads(each.getValue().keyspace(), TABLE).meanMillisSince(since)));
        }
        return times;
    }

    /**
     * What reads of a partition took.
     *
     * @param median for the client, in milliseconds
     * @param inNode the mean within the node, in milliseconds
     */
    record ReadTimes(double median, double inNode) {}

    private WideRow anyRow(Random any) {
        return WideRow.random(any.nextInt(PARTITIONS), any.nextInt(ROWS), nulls, any);
    }

    private void flush() throws Exception {
        for (Way way : ways.values()) {
            jmx.flush(way.keyspace());
        }
    }

    private void writeOnce(boolean last) {
        Way whole = Objects.requireNonNull(ways.get(Way.Kind.OVERWRITE_PARTITION));
        List<Way> order = new ArrayList<>(ways.values());
        order.remove(whole);
        if (!last) {
            order.remove(ways.get(Way.Kind.ONCE));
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            List<WideRow> rows = new ArrayList<>();
            for (int row = 0; row < ROWS; row++) {
                WideRow values = WideRow.random(partition, row, nulls, random);
                rows.add(values);
                Collections.shuffle(order, random);
                order.forEach(way -> way.writes.time(() -> way.write(values)));
            }
            int at = partition;
            whole.writes.time(() -> whole.writePartition(at, rows));
        }
    }

    private void readOften(int times) {
        List<Way> order = new ArrayList<>(ways.values());
        for (int i = 0; i < times; i++) {
            int partition = i % PARTITIONS;
            Collections.shuffle(order, random);
            order.forEach(way -> way.reads.time(() -> way.read(partition)));
        }
    }

    private Measured measure(Way.Kind kind, Way way, ReadTimes read, ReadTimes compactedRead) throws Exception {
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            TombstoneCount count = way.count(partition);
            least = Math.min(least, count.tombstones());
            most = Math.max(most, count.tombstones());
        }
        return new Measured(
                kind,
                least,
                most,
                jmx.bytesOnDisk(way.keyspace(), TABLE),
                read,
                compactedRead,
                way.writes.percentileMillis(0.5));
    }

    /**
     * What one way of writing left and took.
     *
     * @param kind the way
     * @param leastTombstones counted in a read of one partition
     * @param mostTombstones counted in a read of one partition
     * @param bytes on disk after compaction
     * @param read of a partition, before compaction
     * @param compactedRead the same after compaction
     * @param writeMillis the median write of a row
     */
    record Measured(
            Way.Kind kind,
            long leastTombstones,
            long mostTombstones,
            long bytes,
            ReadTimes read,
            ReadTimes compactedRead,
            double writeMillis) {}
}
