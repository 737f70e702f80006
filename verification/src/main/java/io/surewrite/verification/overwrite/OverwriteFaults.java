package io.surewrite.verification.overwrite;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.verification.faults.Connection;
import io.surewrite.verification.faults.History;
import io.surewrite.verification.faults.Nemesis;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/**
 * Old or new, never neither and never a mix: overwrites and reads at QUORUM on three nodes that are paused and killed, until
 * 100,000 reads were judged. Ends with an error if one was wrong. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pfaults-overwrite package}.
 */
public final class OverwriteFaults {

    private static final int ROWS = 20;
    private static final int WRITERS = 2;
    private static final int READERS = 4;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration CALM = Duration.ofSeconds(5);
    private static final OverwriteOptions QUORUM = OverwriteOptions.none().withConsistency(ConsistencyLevel.QUORUM);

    /** A row of one version: even ones have {@code a} and {@code b}, odd ones {@code c} and {@code d}; all have the tag. */
    @Table("state")
    record State(
            @PrimaryKey int id,
            @Nullable Long a,
            @Nullable Long b,
            @Nullable Long c,
            @Nullable Long d,
            @Nullable Set<Long> tags,
            @Nullable Map<Long, Long> squares) {

        static State of(int id, long version) {
            boolean even = version % 2 == 0;
            return new State(
                    id,
                    even ? version : null,
                    even ? version : null,
                    even ? null : version,
                    even ? null : version,
                    Set.of(version),
                    even ? null : Map.of(version, version));
        }

        boolean isOneVersion() {
            return tags != null
                    && tags.size() == 1
                    && equals(of(id, tags.iterator().next()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private final EmbeddedCassandra cluster;
    private final RowOverwrites overwrites;
    private final CassandraOperations operations;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong failedReads = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong failedWrites = new AtomicLong();
    private final List<String> wrong = new ArrayList<>();

    private OverwriteFaults(EmbeddedCassandra cluster, ConfigurableApplicationContext application) {
        this.cluster = cluster;
        this.overwrites = application.getBean(RowOverwrites.class);
        this.operations = application.getBean(CassandraOperations.class);
    }

    /**
     * Runs until enough reads were judged.
     *
     * @param args how many reads
     * @throws Exception when one was wrong
     */
    public static void main(String[] args) throws Exception {
        long enough = Long.parseLong(args[0]);
        try (EmbeddedCassandra cluster = EmbeddedCassandra.builder()
                .nodes(3)
                .setting("commitlog_sync", "batch")
                .start()) {
            cluster.createKeyspace("faults");
            try (ConfigurableApplicationContext application =
                    Connection.to(cluster, "faults").start(Application.class)) {
                new OverwriteFaults(cluster, application).run(enough);
            }
        }
    }

    private void run(long enough) throws IOException, InterruptedException {
        CqlOperations cql = operations.getCqlOperations();
        cql.execute("CREATE TABLE state (id int PRIMARY KEY, a bigint, b bigint, c bigint, d bigint, tags set<bigint>,"
                + " squares map<bigint, bigint>)");
        for (int id = 0; id < ROWS; id++) {
            overwrites.overwrite(State.of(id, 0), QUORUM);
        }
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int seed = i;
            all.add(CompletableFuture.runAsync(() -> write(new Random(seed)), command -> new Thread(command).start()));
        }
        for (int i = 0; i < READERS; i++) {
            int seed = 100 + i;
            all.add(CompletableFuture.runAsync(() -> read(new Random(seed)), command -> new Thread(command).start()));
        }
        disturb(enough);
        over.set(true);
        all.forEach(CompletableFuture::join);
        System.out.printf(
                "%d reads judged, %d failed; %d overwrites acknowledged, %d failed or unknown; %d reads wrong%n",
                reads.get(), failedReads.get(), writes.get(), failedWrites.get(), wrong.size());
        if (!wrong.isEmpty()) {
            throw new IllegalStateException("Neither the old row nor the new one: " + wrong.get(0));
        }
    }

    private void disturb(long enough) throws IOException, InterruptedException {
        try (History history = History.open(Path.of("target", "history", "overwrite"), "nemesis")) {
            Nemesis nemesis = new Nemesis(cluster, history, System.nanoTime(), LONGEST_PAUSE);
            do {
                nemesis.strike();
                Thread.sleep(CALM.toMillis());
            } while (reads.get() < enough && wrong.isEmpty());
        }
    }

    private void write(Random random) {
        long version = random.nextInt(1000);
        while (!over.get()) {
            try {
                overwrites.overwrite(State.of(random.nextInt(ROWS), version++), QUORUM);
                writes.incrementAndGet();
            } catch (DataAccessException e) {
                failedWrites.incrementAndGet();
            }
        }
    }

    private void read(Random random) {
        while (!over.get()) {
            int id = random.nextInt(ROWS);
            try {
                State state = operations.selectOneById(id, State.class);
                reads.incrementAndGet();
                if (state == null || !state.isOneVersion()) {
                    synchronized (wrong) {
                        wrong.add(id + ": " + state);
                    }
                }
            } catch (DataAccessException e) {
                failedReads.incrementAndGet();
            }
        }
    }
}
