package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.backlog.replay.BacklogSession;
import io.surewrite.backlog.replay.StoredWriteBacklog;
import io.surewrite.cql.WriteScope;
import io.surewrite.test.CassandraTest;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link BacklogStore} suits a message broker, too: records in partitions by key, replayed by any process, at least once. */
class SharedBacklogStoreIntegrationTests extends CassandraTest {

    private static final int PARTITIONS = 4;

    private final Topic topic = new Topic();
    private final List<StoredWriteBacklog> processes = new ArrayList<>();

    /** What the broker has: for each partition its records, those that were acknowledged, and who reads it. */
    private static final class Topic {

        private final List<List<BacklogStore.Entry>> partitions = new ArrayList<>();
        private final Set<Long> acknowledged = new HashSet<>();
        private final Map<Long, BacklogStore.DeadEntry> dead = new HashMap<>();
        private @Nullable Consumer reader;

        private Topic() {
            for (int i = 0; i < PARTITIONS; i++) {
                partitions.add(new ArrayList<>());
            }
        }

        private synchronized List<BacklogStore.Entry> waiting(Consumer whose, long after) {
            return !whose.equals(reader)
                    ? List.of()
                    : partitions.stream()
                            .flatMap(List::stream)
                            .filter(entry -> entry.id() > after && !acknowledged.contains(entry.id()))
                            .sorted((one, other) -> Long.compare(one.id(), other.id()))
                            .toList();
        }

        /** As after a crash of the reader, whose acknowledgements had not arrived. */
        private synchronized void deliverAllAgain(Consumer to) {
            reader = to;
            acknowledged.clear();
        }
    }

    /** What one process sees of the topic. */
    private record Consumer(Topic topic) implements BacklogStore {

        @Override
        public CompletableFuture<Long> put(Key key, Instant decided, byte[] body) {
            synchronized (topic) {
                int partition = Math.floorMod(key.hashCode(), PARTITIONS);
                List<Entry> records = topic.partitions.get(partition);
                long id = (records.size() + 1L) * PARTITIONS + partition;
                records.add(new Entry(id, decided, 0, body));
                return CompletableFuture.completedFuture(id);
            }
        }

        @Override
        public CompletableFuture<List<Entry>> next(long after, int limit) {
            List<Entry> waiting = topic.waiting(this, after);
            return CompletableFuture.completedFuture(waiting.subList(0, Math.min(limit, waiting.size())));
        }

        @Override
        public CompletableFuture<Void> remove(List<Long> ids) {
            synchronized (topic) {
                topic.acknowledged.addAll(ids);
                return CompletableFuture.completedFuture(null);
            }
        }

        @Override
        public CompletableFuture<Void> failed(Entry entry) {
            return CompletableFuture.completedFuture(null); // a broker does not count
        }

        @Override
        public CompletableFuture<Void> bury(DeadEntry letter) {
            synchronized (topic) {
                topic.dead.put(letter.entry().id(), letter);
            }
            return remove(List.of(letter.entry().id()));
        }

        @Override
        public CompletableFuture<List<DeadEntry>> deadLetters(long after, int limit) {
            synchronized (topic) {
                return CompletableFuture.completedFuture(topic.dead.values().stream()
                        .filter(letter -> letter.entry().id() > after)
                        .limit(limit)
                        .toList());
            }
        }

        @Override
        public CompletableFuture<Integer> revive(List<Long> ids) {
            return take(ids, id -> topic.acknowledged.remove(id));
        }

        @Override
        public CompletableFuture<Integer> discard(List<Long> ids) {
            return take(ids, id -> true);
        }

        private CompletableFuture<Integer> take(List<Long> ids, LongFunction<Boolean> what) {
            synchronized (topic) {
                int taken = 0;
                for (long id : ids) {
                    if (topic.dead.remove(id) != null && what.apply(id)) {
                        taken++;
                    }
                }
                return CompletableFuture.completedFuture(taken);
            }
        }

        @Override
        public boolean isShared() {
            return true;
        }

        @Override
        public BacklogSize size() {
            synchronized (topic) {
                List<Entry> waiting = topic.waiting(this, 0);
                return new BacklogSize(
                        waiting.size(),
                        topic.dead.size(),
                        0,
                        waiting.isEmpty() ? null : waiting.get(0).decided(),
                        0);
            }
        }

        @Override
        public @Nullable BacklogException failure() {
            return null;
        }

        @Override
        public @Nullable BacklogException refusal() {
            return null;
        }

        @Override
        public void close() {}

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE shared_note (id int PRIMARY KEY, text text)");
    }

    @BeforeEach
    void empty() {
        LongStream.range(0, 20).forEach(id -> session.execute("DELETE FROM shared_note WHERE id = " + id));
    }

    @AfterEach
    void close() {
        processes.forEach(StoredWriteBacklog::close);
    }

    private StoredWriteBacklog process(Consumer store) {
        StoredWriteBacklog backlog = new StoredWriteBacklog(
                List.of(new BacklogSession("", session)),
                store,
                BacklogTest.quick(),
                List.of(),
                Clock.systemUTC(),
                null);
        processes.add(backlog);
        return backlog;
    }

    @Test
    void oneProcessDoesWhatAnotherOneKept() {
        Consumer writes = new Consumer(topic);
        Consumer reads = new Consumer(topic);
        topic.reader = reads;
        StoredWriteBacklog writer = process(writes);
        StoredWriteBacklog reader = process(reads);
        put(writer, "kept");
        await().until(() -> rows("kept") == 20);
        await().until(() -> reader.size().entries() == 0);
    }

    @Test
    void whatIsDeliveredAgainCoversNothingNewer() {
        Consumer first = new Consumer(topic);
        topic.reader = first;
        StoredWriteBacklog writer = process(first);
        put(writer, "kept");
        await().until(() -> writer.size().entries() == 0);
        session.execute("INSERT INTO shared_note (id, text) VALUES (3, 'newer')");
        Consumer second = new Consumer(topic);
        StoredWriteBacklog other = process(second);
        topic.deliverAllAgain(second);
        await().until(() -> other.size().entries() == 0);
        assertThat(rows("kept")).isEqualTo(19);
        assertThat(rows("newer")).isEqualTo(1);
    }

    @Test
    void oneProcessRevivesWhatAnotherOneGaveUp() {
        session.execute("CREATE TABLE IF NOT EXISTS shared_late (id int PRIMARY KEY)");
        Consumer first = new Consumer(topic);
        topic.reader = first;
        StoredWriteBacklog writer = process(first);
        long ahead = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().plus(1, ChronoUnit.HOURS));
        WriteScope.at(ahead)
                .call(() -> writer.put("late", SimpleStatement.newInstance("INSERT INTO shared_late (id) VALUES (1)")));
        await().until(() -> writer.size().deadLetters() == 1);
        StoredWriteBacklog other = process(new Consumer(topic));
        List<Long> letters =
                other.deadLetters(0, 10).stream().map(DeadLetter::id).toList();
        assertThat(other.replayDeadLetters(letters)).isEqualTo(1);
        await().until(() -> writer.size().deadLetters() == 1); // it is ahead of its time still
    }

    private static void put(WriteBacklog backlog, String text) {
        for (int id = 0; id < 20; id++) {
            backlog.put(
                    "note", SimpleStatement.newInstance("INSERT INTO shared_note (id, text) VALUES (?, ?)", id, text));
        }
    }

    private static long rows(String text) {
        return session.execute("SELECT text FROM shared_note").all().stream()
                .filter(row -> text.equals(row.getString("text")))
                .count();
    }
}
