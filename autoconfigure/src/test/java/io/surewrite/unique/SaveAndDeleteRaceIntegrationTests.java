package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy;
import io.surewrite.test.FrameProxy.Fate;
import io.surewrite.test.FrameProxy.Verdict;
import io.surewrite.test.OwnRepositories;
import io.surewrite.testsupport.BothLanes;
import io.surewrite.write.UnknownOutcomeException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;

/**
 * Saves of a row as it is, and its deletion, at the same time and with pauses on the way: the row is there as a whole, or is
 * not there. A row is torn if it shows a note and no login. {@code -Dsurewrite.seed=...} makes the same choices again; the
 * threads may take other turns.
 */
@BothLanes
class SaveAndDeleteRaceIntegrationTests extends CassandraTest {

    private static final long SEED = Long.getLong("surewrite.seed", System.nanoTime());
    private static final int ROUNDS = Integer.getInteger("surewrite.races", 400);
    private static final int AT_ONCE = 16;

    private static FrameProxy network;
    private static List<Way> ways;

    @Table("racer")
    record Racer(
            @PrimaryKey UUID id,
            @Nullable String login,
            @Nullable String note) {}

    @UniqueBy("login")
    interface Guarded extends CassandraRepository<Racer, UUID> {}

    @Idempotent
    @UniqueBy("login")
    interface Retried extends CassandraRepository<Racer, UUID> {}

    @UniqueBy("login")
    interface ReactiveGuarded extends ReactiveCassandraRepository<Racer, UUID> {}

    @Idempotent
    @UniqueBy("login")
    interface ReactiveRetried extends ReactiveCassandraRepository<Racer, UUID> {}

    /** How callers save and delete. */
    private record Way(Consumer<Racer> save, Consumer<UUID> delete) {}

    @OwnRepositories
    static class Application {}

    @BeforeAll
    static void start() throws IOException {
        session.execute("CREATE TABLE racer (id uuid PRIMARY KEY, login text, note text)");
        network = new FrameProxy(
                keyspace.server().contactPoint().getPort(),
                Duration.ofMillis(5),
                SaveAndDeleteRaceIntegrationTests::verdict);
        ApplicationContext application = shared(
                List.of(
                        "spring.cassandra.contact-points=127.0.0.1:" + network.port(),
                        "spring.cassandra.request.timeout=20s"),
                Application.class);
        Guarded guarded = application.getBean(Guarded.class);
        Retried retried = application.getBean(Retried.class);
        ReactiveGuarded reactive = application.getBean(ReactiveGuarded.class);
        ReactiveRetried reactiveRetried = application.getBean(ReactiveRetried.class);
        ways = List.of(
                new Way(guarded::save, guarded::deleteById),
                new Way(retried::save, retried::deleteById),
                new Way(
                        racer -> reactive.save(racer).block(),
                        id -> reactive.deleteById(id).block()),
                new Way(
                        racer -> reactiveRetried.save(racer).block(),
                        id -> reactiveRetried.deleteById(id).block()));
    }

    @AfterAll
    static void stop() throws IOException {
        network.close();
    }

    /** A third of the requests is late, each by another time. */
    private static Verdict verdict(byte[] frame) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Fate fate = random.nextInt(3) == 0 ? Fate.LATE : Fate.DELIVERED;
        return new Verdict(fate, new CompletableFuture<>(), Duration.ofMillis(random.nextInt(8)));
    }

    @Test
    void leavesNoTornRow() throws Exception {
        System.out.printf("Races of saves and deletions: seed %d%n", SEED);
        var outcomes = new ConcurrentHashMap<String, AtomicInteger>();
        ExecutorService rounds = Executors.newFixedThreadPool(AT_ONCE);
        ExecutorService callers = Executors.newCachedThreadPool();
        try {
            var all = new ArrayList<CompletableFuture<Void>>();
            for (int round = 0; round < ROUNDS; round++) {
                Round next = new Round(new Random(SEED + round), callers);
                all.add(CompletableFuture.runAsync(
                        () -> outcomes.computeIfAbsent(next.run(session), first -> new AtomicInteger())
                                .incrementAndGet(),
                        rounds));
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).join();
        } finally {
            rounds.shutdown();
            callers.shutdown();
        }
        System.out.printf("Races of saves and deletions: %d rounds, %s%n", ROUNDS, new TreeMap<>(outcomes));
        assertThat(outcomes.keySet()).as("seed %d", SEED).isSubsetOf("whole", "absent");
        assertThat(outcomes).as("seed %d", SEED).containsKeys("whole", "absent");
    }

    /** One row and its callers. */
    private static final class Round {

        private final Random random;
        private final ExecutorService callers;
        private final UUID id = UUID.randomUUID();
        private final String login = "login-" + id;

        Round(Random random, ExecutorService callers) {
            this.random = random;
            this.callers = callers;
        }

        String run(CqlSession session) {
            any().save().accept(racer("first"));
            List<Runnable> calls = new ArrayList<>(List.of(() -> save("second"), () -> delete()));
            IntStream.range(0, random.nextInt(3))
                    .forEach(more -> calls.add(random.nextBoolean() ? () -> save("more " + more) : this::delete));
            CompletableFuture.allOf(calls.stream()
                            .map(call -> CompletableFuture.runAsync(paused(call), callers))
                            .toArray(CompletableFuture<?>[]::new))
                    .join();
            Row row = session.execute("SELECT login, note FROM racer WHERE id = ?", id)
                    .one();
            boolean claimed = session.execute(
                                    "SELECT owner FROM surewrite_claim WHERE constraint_name = 'racer.login' AND value = ?",
                                    login.length() + ":" + login)
                            .one()
                    != null;
            if (row == null) {
                return "absent";
            }
            if (row.isNull("login") || row.isNull("note")) {
                return "torn";
            }
            return claimed ? "whole" : "unclaimed";
        }

        private synchronized Way any() {
            return ways.get(random.nextInt(ways.size()));
        }

        private Racer racer(String note) {
            return new Racer(id, login, note);
        }

        private void save(String note) {
            unlessUndecided(() -> any().save().accept(racer(note)));
        }

        private void delete() {
            unlessUndecided(() -> any().delete().accept(id));
        }

        /** A machine that is too slow for a reservation. */
        private static void unlessUndecided(Runnable call) {
            try {
                call.run();
            } catch (UnknownOutcomeException | ClaimPendingException slow) {
                System.out.println(slow.getMessage());
            }
        }

        private Runnable paused(Runnable call) {
            long pause = random.nextInt(3_000_000);
            return () -> {
                LockSupport.parkNanos(pause);
                call.run();
            };
        }
    }
}
