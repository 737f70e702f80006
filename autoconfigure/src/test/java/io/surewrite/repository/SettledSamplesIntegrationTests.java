package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.FrameProxy;
import io.surewrite.test.FrameProxy.Fate;
import io.surewrite.test.FrameProxy.Verdict;
import io.surewrite.test.OwnServer;
import io.surewrite.testsupport.LongLane;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/**
 * Sixty rows on a server of each kind of Paxos, each wanted by several callers on a network that loses, delays and repeats frames.
 * Each write leaves a mark in its row, so that the row shows all its versions, and is held against what the callers were told.
 * {@code -Dsurewrite.seed=...} gives all requests the same fates again, though threads may take other turns.
 */
@LongLane // It starts servers of its own, and waits for lost answers.
class SettledSamplesIntegrationTests {

    private static final long SEED = Long.getLong("surewrite.seed", System.nanoTime());
    private static final int SAMPLES = 60;
    private static final int CALLERS = 4;
    private static final int CALLS = 3;
    private static final double BAD = 0.2;
    private static final int LATEST_MILLIS = 4_000;
    private static final List<Fate> FATES = List.of(Fate.values());

    private final Map<String, Sample> samples = new ConcurrentHashMap<>();

    private enum End {
        DONE,
        REFUSED,
        NOT_DONE,
        UNKNOWN
    }

    /** What a caller was told of the mark that it left, or wanted to. */
    private record Told(String mark, End end, @Nullable Long version) {}

    /** One row, and what becomes of the requests for it. */
    private static final class Sample {

        private final UUID id = UUID.randomUUID();
        private final Random random;
        private final Queue<Told> told = new ConcurrentLinkedQueue<>();

        Sample(long seed) {
            this.random = new Random(seed);
        }

        synchronized Verdict next() {
            Fate fate = random.nextDouble() < BAD ? FATES.get(random.nextInt(FATES.size())) : Fate.DELIVERED;
            return new Verdict(fate, new CompletableFuture<>(), Duration.ofMillis(random.nextInt(LATEST_MILLIS)));
        }

        /** As it stands in a frame. */
        String bytes() {
            ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits());
            return new String(bytes.array(), StandardCharsets.ISO_8859_1);
        }

        private void write(Rows rows, String mark) {
            Optional<MarkedRow> read;
            try {
                read = rows.findById(id);
            } catch (RuntimeException unread) {
                return;
            }
            try {
                MarkedRow written = read.map(row -> rows.save(row.with(mark)))
                        .orElseGet(() -> rows.insert(new MarkedRow(id, mark, null, null)));
                told.add(new Told(mark, End.DONE, written.version()));
            } catch (RuntimeException failure) {
                told.add(new Told(mark, end(failure), null));
            }
        }

        private static End end(RuntimeException failure) {
            if (failure instanceof UnknownOutcomeException) {
                return End.UNKNOWN;
            }
            return failure instanceof OptimisticLockingFailureException ? End.REFUSED : End.NOT_DONE;
        }

        /** What is untrue of what callers were told, when nothing is on its way any more. */
        List<String> lies(@Nullable MarkedRow row) {
            List<String> lies = new ArrayList<>();
            List<String> marks = row == null ? List.of() : List.of(row.marks().split(","));
            if (marks.stream().distinct().count() < marks.size()) {
                lies.add("written twice by one call: " + row);
            }
            if (row != null && row.version() != marks.size() - 1) {
                lies.add("as many versions as marks: " + row);
            }
            for (Told each : told) {
                int version = marks.indexOf(each.mark());
                boolean isTrue = switch (each.end()) {
                    case DONE -> each.version() != null && version == each.version();
                    case REFUSED, NOT_DONE -> version < 0;
                    case UNKNOWN -> true;
                };
                if (!isTrue) {
                    lies.add("%s, and the row is %s".formatted(each, row));
                }
            }
            return lies;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v2"})
    void noCallerHearsALie(String paxos) throws Exception {
        Map<String, Sample> all = Stream.iterate(SEED, seed -> seed + 1)
                .limit(SAMPLES)
                .map(Sample::new)
                .collect(Collectors.toMap(Sample::bytes, sample -> sample));
        samples.clear();
        samples.putAll(all);
        try (EmbeddedCassandra server = EmbeddedCassandra.builder()
                        .setting("paxos_variant", paxos)
                        .start();
                FrameProxy network =
                        new FrameProxy(server.contactPoint().getPort(), Duration.ofSeconds(1), this::verdict)) {
            server.createKeyspace("samples");
            try (CqlSession direct = OwnServer.patient(server.contactPoint(), server.localDatacenter())
                    .withKeyspace("samples")
                    .build()) {
                direct.execute(
                        "CREATE TABLE marked_row (id uuid PRIMARY KEY, marks text, write_id uuid, version bigint)");
            }
            OwnServer.with(Rows.class, OwnServer.application(server, "samples"))
                    .withPropertyValues(
                            "spring.cassandra.contact-points=127.0.0.1:" + network.port(),
                            "surewrite.conditional.request-timeout=2100ms")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        judge(paxos, context.getBean(Rows.class), network);
                    });
        }
    }

    private void judge(String paxos, Rows rows, FrameProxy network) throws Exception {
        List<Sample> all = List.copyOf(samples.values());
        ExecutorService callers = Executors.newFixedThreadPool(SAMPLES);
        try {
            List<Future<?>> calls = new ArrayList<>();
            for (Sample sample : all) {
                for (int n = 0; n < CALLERS; n++) {
                    String caller = "c" + n;
                    calls.add(callers.submit(() -> {
                        for (int call = 0; call < CALLS; call++) {
                            sample.write(rows, caller + "." + call);
                        }
                    }));
                }
            }
            for (Future<?> call : calls) {
                call.get();
            }
        } finally {
            callers.shutdownNow();
        }
        samples.clear(); // the network is well again
        await().atMost(Duration.ofSeconds(30)).until(() -> network.onTheWay() == 0);
        rows.findAll(); // by the same connection, after what was late
        List<String> lies = all.stream()
                .flatMap(sample -> sample.lies(rows.findById(sample.id).orElse(null)).stream())
                .toList();
        Map<End, Long> ends = all.stream()
                .flatMap(sample -> sample.told.stream())
                .collect(Collectors.groupingBy(Told::end, Collectors.counting()));
        System.out.printf("Settled samples: Paxos %s, seed %d, %s%n", paxos, SEED, ends);
        assertThat(lies).as("seed %d", SEED).isEmpty();
        assertThat(ends).containsKeys(End.DONE, End.REFUSED, End.UNKNOWN);
    }

    private Verdict verdict(byte[] frame) {
        String text = new String(frame, StandardCharsets.ISO_8859_1);
        return samples.entrySet().stream()
                .filter(sample -> text.contains(sample.getKey()))
                .findAny()
                .map(sample -> sample.getValue().next())
                .orElseGet(() -> new Verdict(Fate.DELIVERED, new CompletableFuture<>()));
    }

    /** A row that shows all its versions. */
    @Table("marked_row")
    record MarkedRow(
            @Id UUID id,
            String marks,
            @WriteId @Column("write_id") @Nullable UUID writeId,
            @Version @Nullable Long version) {

        MarkedRow with(String mark) {
            return new MarkedRow(id, marks + "," + mark, writeId, version);
        }
    }

    @Idempotent
    interface Rows extends CassandraRepository<MarkedRow, UUID> {}
}
