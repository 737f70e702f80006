package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.CassandraNode;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.verification.Arguments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.HdrHistogram.ConcurrentHistogram;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/**
 * An operator restarts one node of three after the other, drained first, while an application makes 50 guarded calls a second,
 * each when it is due, whatever became of those before: none may fail. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pfaults-restart package}; {@code -Dverification.argument=20} makes 20 calls a
 * second.
 */
public final class RestartFaults {

    private static final String KEYSPACE = "faults";
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration QUIET = Duration.ofSeconds(5);
    private static final Duration UNTIL_ALL_ARE_UP = Duration.ofMinutes(2);
    private static final Duration LONGEST_CALL = Duration.ofMinutes(1);

    private final Entries entries;
    private final long periodNanos;
    private final Queue<Entry> idle = new ConcurrentLinkedQueue<>();
    private final Map<UUID, String> written = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> done = new ConcurrentHashMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final ConcurrentHistogram latencies = new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(5), 3);
    private final AtomicLong labels = new AtomicLong();
    private volatile boolean over;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Entries.class))
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Bare {}

    private RestartFaults(Entries entries, int perSecond) {
        this.entries = entries;
        this.periodNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    /**
     * Restarts each node once and throws if a call failed, or a row is not what it was written as.
     *
     * @param args how many calls a second
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        int perSecond = Integer.parseInt(Arguments.of(args, "50").text(0));
        try (EmbeddedCassandra cluster = EmbeddedCassandra.builder()
                .nodes(3)
                .setting("commitlog_sync", "batch")
                .start()) {
            cluster.createKeyspace(KEYSPACE);
            Connection connection = Connection.to(cluster, KEYSPACE);
            try (ConfigurableApplicationContext bare = connection.start(Bare.class)) {
                bare.getBean(CqlSession.class).execute("CREATE TABLE entry (id uuid PRIMARY KEY, label text)");
            }
            try (ConfigurableApplicationContext application =
                    connection.start(Application.class, "surewrite.schema.initialize=always")) {
                new RestartFaults(application.getBean(Entries.class), perSecond).run(cluster);
            }
        }
    }

    private void run(EmbeddedCassandra cluster) throws Exception {
        ExecutorService callers = Executors.newCachedThreadPool();
        Thread clock = new Thread(() -> callAgainAndAgain(callers), "calls");
        clock.start();
        pass("warm-up", WARM_UP);
        for (CassandraNode node : cluster.nodes()) {
            restart(cluster, node);
        }
        over = true;
        clock.join();
        callers.shutdown();
        boolean ended = callers.awaitTermination(LONGEST_CALL.toSeconds(), TimeUnit.SECONDS);
        report(ended);
    }

    private void pass(String phase, Duration howLong) throws InterruptedException {
        Thread.sleep(howLong.toMillis());
        System.out.printf("%-22s %6d calls done, %d failed%n", phase, latencies.getTotalCount(), failures.size());
    }

    private void restart(EmbeddedCassandra cluster, CassandraNode node) throws InterruptedException {
        long from = System.nanoTime();
        node.drain();
        node.restart();
        cluster.awaitMembers(UNTIL_ALL_ARE_UP);
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - from);
        pass("%s away %.1f s".formatted(node.address().getAddress().getHostAddress(), took / 1000.0), QUIET);
    }

    private void callAgainAndAgain(ExecutorService callers) {
        long due = System.nanoTime();
        for (long number = 0; !over; number++) {
            long at = due;
            long which = number;
            callers.execute(() -> call(which, at));
            due += periodNanos;
            try {
                TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Each call has a row of its own, and each row a label of its own, so that nothing but the cluster can be in the way. */
    private void call(long number, long due) {
        Entry mine = number % 4 == 0 ? null : idle.poll();
        String kind = mine == null
                ? "insert"
                : List.of("", "change", "save unchanged", "delete").get((int) (number % 4));
        try {
            Entry now = call(kind, mine);
            if (now != null) {
                written.put(now.id(), now.label());
                idle.add(now);
            }
            done.computeIfAbsent(kind, first -> new AtomicLong()).incrementAndGet();
        } catch (RuntimeException failed) {
            failures.add("%s: %s".formatted(kind, failed));
        } finally {
            latencies.recordValue(Math.min(
                    latencies.getHighestTrackableValue(), TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - due)));
        }
    }

    private @Nullable Entry call(String kind, @Nullable Entry mine) {
        if (mine == null) {
            return entries.insert(new Entry(UUID.randomUUID(), nextLabel()));
        }
        if (kind.equals("delete")) {
            entries.delete(mine);
            written.remove(mine.id());
            return null;
        }
        return entries.save(kind.equals("change") ? new Entry(mine.id(), nextLabel()) : mine);
    }

    private String nextLabel() {
        return "label" + labels.incrementAndGet();
    }

    private void report(boolean ended) {
        Map<UUID, String> found = entries.findAll().stream().collect(Collectors.toMap(Entry::id, Entry::label));
        List<String> wrong = new ArrayList<>(failures);
        if (!ended) {
            wrong.add("Some calls did not end within " + LONGEST_CALL);
        }
        if (failures.isEmpty() && !found.equals(written)) {
            wrong.add("%d rows are there, %d were written, and they differ".formatted(found.size(), written.size()));
        }
        System.out.printf("calls: %s%n", new TreeMap<>(done));
        System.out.printf("rows at the end: %d, as written: %s%n", found.size(), found.equals(written));
        System.out.printf(
                "from when it was due to its answer: p50 %.1f ms, p99 %.1f ms, longest %.1f ms%n",
                latencies.getValueAtPercentile(50) / 1000.0,
                latencies.getValueAtPercentile(99) / 1000.0,
                latencies.getMaxValue() / 1000.0);
        System.out.printf("failed: %d%n", failures.size());
        wrong.stream().limit(10).forEach(System.out::println);
        if (!wrong.isEmpty()) {
            throw new IllegalStateException(wrong.size() + " violations, such as: " + wrong.get(0));
        }
    }
}
