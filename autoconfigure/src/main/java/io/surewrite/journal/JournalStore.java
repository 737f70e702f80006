package io.surewrite.journal;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.ConditionalWrite;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.cql.WriteOutcome;
import io.surewrite.cql.session.DriverFailures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.cql.CqlOperations;

/**
 * The two tables. In {@code journal} a partition is a bucket of an entity: its entries, and the ones in effect when it
 * began, carried over. In {@code journal_state} a partition is an entity: its {@link Life}, its newest entries, and the
 * list of its buckets.
 *
 * <p>Entries are written plainly, each cell with the entry's instant in microseconds as its timestamp, so that late and
 * repeated writes change nothing. The life and the list of buckets are written by lightweight transactions alone: a bucket
 * is listed only while the life goes on, so that whoever ends it knows every partition that can have entries.
 */
final class JournalStore {

    private static final int CHUNK = 100;
    private static final int IN_FLIGHT = 64;
    private static final int COUNTED_A_PAGE = 1_000;

    /** Buckets of no more entries are read whole, in one request. */
    private static final int SMALL = 500;

    private static final Duration CONDITIONAL = Duration.ofSeconds(10);

    private static final String ATTRIBUTE = "a";
    private static final String BUCKET = "b";

    /** Sorts before all other kinds, so that a life and its attributes are one slice. */
    private static final String LIFE = "!";

    private static final String LIST = """
            BEGIN BATCH
            UPDATE %1$s SET generation = :after, value = :periods, at = :lists
                WHERE entity = :entity AND kind = '!' AND name = 'life' IF generation = :before AND at = :listed;
            UPDATE %1$s SET at = :rank WHERE entity = :entity AND kind = :kind AND name = :bucket;
            APPLY BATCH""";

    private static final String COMPLETE =
            "UPDATE %s SET at = 2 WHERE entity = :entity AND kind = :kind AND name = :bucket IF at = 1";

    private static final String END = """
            UPDATE %s SET generation = :after WHERE entity = :entity AND kind = '!' AND name = 'life'
            IF generation = :before""";

    /**
     * For a day no late copy of the transaction that began this life must find the row absent, and begin it again. Nor must a
     * process, however slow, take rows without a generation for the entity's own.
     */
    private static final String LEAVE_A_MARK = """
            BEGIN BATCH
            UPDATE %1$s USING TTL 86400 SET generation = '%2$s', value = null, at = null
                WHERE entity = :entity AND kind = '!' AND name = 'life' IF generation = :before;
            DELETE FROM %1$s WHERE entity = :entity AND kind = :kind;
            APPLY BATCH""";

    /** An entry as it is stored. */
    record Stored(String attribute, long micros, String value) {}

    /** A bucket in an entity's list. */
    record Listed(String name, boolean complete) {}

    private final CqlSession session;
    private final CqlOperations operations;
    private final ConditionalWrites conditional;
    private final ConsistencyLevel consistency;
    private final PreparedStatement insert;
    private final PreparedStatement setState;
    private final PreparedStatement life;
    private final PreparedStatement current;
    private final PreparedStatement names;
    private final PreparedStatement floor;
    private final PreparedStatement below;
    private final PreparedStatement following;
    private final PreparedStatement first;
    private final PreparedStatement newest;
    private final PreparedStatement count;
    private final PreparedStatement history;
    private final PreparedStatement eraseBucket;
    private final PreparedStatement eraseAttributes;
    private final PreparedStatement list;
    private final PreparedStatement complete;
    private final PreparedStatement end;
    private final PreparedStatement leaveAMark;
    private final PreparedStatement agreed;
    private final PreparedStatement agree;

    JournalStore(
            CqlSession session,
            CqlOperations operations,
            ConditionalWrites conditional,
            String journal,
            String state,
            ConsistencyLevel consistency) {
        this.session = session;
        this.operations = operations;
        this.conditional = conditional;
        this.consistency = consistency;
        this.insert = session.prepare("""
                INSERT INTO %s (entity, bucket, attribute, at, value) VALUES (?, ?, ?, ?, ?)
                USING TIMESTAMP ? AND TTL ?""".formatted(journal));
        this.setState = session.prepare("""
                INSERT INTO %s (entity, kind, name, at, value) VALUES (?, ?, ?, ?, ?)
                USING TIMESTAMP ? AND TTL ?""".formatted(state));
        this.life = session.prepare("""
                SELECT kind, name, generation, value, at FROM %s WHERE entity = ? AND kind = '!' AND name = 'life'\
                """.formatted(state));
        this.current = session.prepare(
                "SELECT kind, name, generation, value, at FROM %s WHERE entity = ? AND kind < 'b'".formatted(state));
        this.names = session.prepare("SELECT name, at FROM %s WHERE entity = ? AND kind = ?".formatted(state));
        this.floor = session.prepare("""
                SELECT name, at FROM %s WHERE entity = ? AND kind = ? AND name <= ?
                ORDER BY kind DESC, name DESC LIMIT 1""".formatted(state));
        this.below = session.prepare("""
                SELECT name, at FROM %s WHERE entity = ? AND kind = ? AND name < ?
                ORDER BY kind DESC, name DESC LIMIT 1""".formatted(state));
        this.following = session.prepare(
                "SELECT name, at FROM %s WHERE entity = ? AND kind = ? AND name > ? LIMIT ?".formatted(state));
        this.first = session.prepare(
                "SELECT attribute, at, value FROM %s WHERE entity = ? AND bucket = ? LIMIT ?".formatted(journal));
        this.newest = session.prepare("""
                SELECT attribute, at, value FROM %s WHERE entity = ? AND bucket = ? AND attribute = ? AND at <= ?
                ORDER BY attribute ASC, at DESC LIMIT 1""".formatted(journal));
        this.count = session.prepare("SELECT at FROM %s WHERE entity = ? AND bucket = ? LIMIT ?".formatted(journal));
        this.history = session.prepare("""
                SELECT attribute, at, value FROM %s WHERE entity = ? AND bucket = ? AND attribute = ? AND at < ?
                ORDER BY attribute ASC, at DESC LIMIT ?""".formatted(journal));
        this.eraseBucket =
                session.prepare("DELETE FROM %s USING TIMESTAMP ? WHERE entity = ? AND bucket = ?".formatted(journal));
        this.eraseAttributes =
                session.prepare("DELETE FROM %s USING TIMESTAMP ? WHERE entity = ? AND kind = ?".formatted(state));
        this.list = session.prepare(LIST.formatted(state));
        this.complete = session.prepare(COMPLETE.formatted(state));
        this.end = session.prepare(END.formatted(state));
        this.agreed =
                session.prepare("SELECT value FROM %s WHERE entity = ? AND kind = ? AND name = ?".formatted(state));
        this.agree = session.prepare(
                "UPDATE %s SET value = ? WHERE entity = ? AND kind = ? AND name = ? IF value = null".formatted(state));
        this.leaveAMark = session.prepare(LEAVE_A_MARK.formatted(state, Life.FORGOTTEN));
    }

    /** Adds entries, to their bucket and to the state, both or none. */
    void add(String entity, Life life, String bucket, Collection<Stored> entries, TimeToLive ttl) {
        BatchStatementBuilder batch = BatchStatement.builder(BatchType.LOGGED);
        for (Stored entry : entries) {
            int seconds = ttl.of(entry);
            if (seconds != TimeToLive.EXPIRED) {
                batch.addStatement(insert(entity, life, bucket, entry, seconds));
                batch.addStatement(setState.bind(
                        entity,
                        ATTRIBUTE + life.generation(),
                        entry.attribute(),
                        entry.micros(),
                        entry.value(),
                        entry.micros(),
                        seconds));
            }
        }
        if (batch.getStatementsCount() > 0) {
            execute(batch.build());
        }
    }

    /** Adds entries to a bucket alone. */
    void carry(String entity, Life life, String bucket, Collection<Stored> entries, TimeToLive ttl) {
        List<BoundStatement> inserts = new ArrayList<>();
        for (Stored entry : entries) {
            int seconds = ttl.of(entry);
            if (seconds != TimeToLive.EXPIRED) {
                inserts.add(insert(entity, life, bucket, entry, seconds));
            }
        }
        for (int from = 0; from < inserts.size(); from += CHUNK) {
            BatchStatementBuilder batch = BatchStatement.builder(BatchType.UNLOGGED);
            inserts.subList(from, Math.min(from + CHUNK, inserts.size())).forEach(batch::addStatement);
            execute(batch.build());
        }
    }

    private BoundStatement insert(String entity, Life life, String bucket, Stored entry, int seconds) {
        return insert.bind(
                entity,
                life.partition(bucket),
                entry.attribute(),
                entry.micros(),
                entry.value(),
                entry.micros(),
                seconds);
    }

    Life life(String entity) {
        List<Life> rows = read(life.bind(entity), JournalStore::life);
        return rows.isEmpty() ? Life.NONE : rows.get(0);
    }

    /** The newest entry of each attribute. */
    List<Stored> state(String entity) {
        Life life = Life.NONE;
        List<Stored> entries = new ArrayList<>();
        Map<String, List<Stored>> byKind = new HashMap<>();
        for (Row row : read(current.bind(entity), Function.identity())) {
            String kind = text(row, 0);
            if (kind.equals(LIFE)) {
                life = life(row);
            } else {
                byKind.computeIfAbsent(kind, first -> new ArrayList<>())
                        .add(new Stored(text(row, 1), row.getLong(4), text(row, 3)));
            }
        }
        if (life.isReadable()) {
            entries.addAll(byKind.getOrDefault(ATTRIBUTE + life.generation(), List.of()));
        }
        return entries;
    }

    /** The instant of the newest entry of an entity, in microseconds. */
    long newest(String entity, Life life) {
        return read(names.bind(entity, ATTRIBUTE + life.generation()), row -> row.getLong(1)).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    /** The latest bucket that begins with one of this name or before it. */
    @Nullable
    Listed floor(String entity, Life life, String bucket) {
        return first(read(floor.bind(entity, BUCKET + life.generation(), bucket), JournalStore::listed));
    }

    /** The latest bucket that begins before one of this name. */
    @Nullable
    Listed below(String entity, Life life, String bucket) {
        return first(read(below.bind(entity, BUCKET + life.generation(), bucket), JournalStore::listed));
    }

    /** The first buckets that begin after one of this name, in order of time. */
    List<Listed> after(String entity, Life life, String bucket, int most) {
        return read(following.bind(entity, BUCKET + life.generation(), bucket, most), JournalStore::listed);
    }

    /**
     * Lists a bucket, if the life is as it was.
     *
     * @param before the life as it was read
     * @param after the life with one bucket more
     * @param complete whether there is nothing to carry into it
     * @return whether it is listed
     */
    boolean list(String entity, Life before, Life after, String bucket, boolean complete) {
        BoundStatementBuilder statement = list.boundStatementBuilder()
                .setString("after", after.stored())
                .setString("periods", after.periods())
                .setLong("lists", after.lists())
                .setString("entity", entity)
                .setLong("rank", complete ? 2 : 1)
                .setString("kind", BUCKET + after.generation())
                .setString("bucket", bucket);
        statement = setBefore(statement, before);
        boolean counted = before.state() == Life.State.ALIVE;
        return decide((counted ? statement.setLong("listed", before.lists()) : statement.setToNull("listed")).build());
    }

    /** Notes that a bucket that is listed is complete. */
    boolean complete(String entity, Life life, String bucket) {
        boolean applied = decide(complete.boundStatementBuilder()
                .setString("entity", entity)
                .setString("kind", BUCKET + life.generation())
                .setString("bucket", bucket)
                .build());
        if (applied) {
            return true;
        }
        Listed seen = floor(entity, life, bucket);
        return seen != null && seen.name().equals(bucket) && seen.complete();
    }

    /** Ends a life: from then on it has no entries, and no bucket can be listed. */
    boolean end(String entity, Life before, Life ended) {
        return decide(setBefore(
                        end.boundStatementBuilder()
                                .setString("after", ended.stored())
                                .setString("entity", entity),
                        before)
                .build());
    }

    /** Erases whatever belongs to a life that has ended. */
    void erase(String entity, Life ended, long micros) {
        for (Listed bucket : after(entity, ended, "", Integer.MAX_VALUE)) {
            execute(eraseBucket.bind(micros, entity, ended.partition(bucket.name())));
        }
        execute(eraseAttributes.bind(micros, entity, ATTRIBUTE + ended.generation()));
        decide(setBefore(
                        leaveAMark
                                .boundStatementBuilder()
                                .setString("entity", entity)
                                .setString("kind", BUCKET + ended.generation()),
                        ended)
                .build());
    }

    /** Reads what was agreed for the whole table, or agrees on it. */
    String agreed(String entity, String name, String mine) {
        while (true) {
            List<String> found = read(agreed.bind(entity, LIFE, name), row -> text(row, 0));
            if (!found.isEmpty()) {
                return found.get(0);
            }
            if (decide(agree.bind(mine, entity, LIFE, name))) {
                return mine;
            }
        }
    }

    private static BoundStatementBuilder setBefore(BoundStatementBuilder statement, Life before) {
        String stored = before.stored();
        return stored == null ? statement.setToNull("before") : statement.setString("before", stored);
    }

    /** The newest entry of each attribute in a bucket, up to an instant: two requests, or one for each attribute. */
    List<Stored> newest(String entity, Life life, String bucket, long micros) {
        List<Stored> begin = read(
                first.bind(entity, life.partition(bucket), SMALL + 1).setPageSize(SMALL + 1), JournalStore::stored);
        if (begin.size() <= SMALL) {
            Map<String, Stored> newest = new HashMap<>();
            for (Stored entry : begin) {
                if (entry.micros() <= micros) {
                    newest.putIfAbsent(entry.attribute(), entry); // they come newest first
                }
            }
            return List.copyOf(newest.values());
        }
        List<String> attributes = read(names.bind(entity, ATTRIBUTE + life.generation()), row -> text(row, 0));
        List<Stored> found = new ArrayList<>();
        for (int from = 0; from < attributes.size(); from += IN_FLIGHT) {
            List<CompletionStage<AsyncResultSet>> sent = new ArrayList<>();
            for (String attribute : attributes.subList(from, Math.min(from + IN_FLIGHT, attributes.size()))) {
                sent.add(
                        session.executeAsync(settings(newest.bind(entity, life.partition(bucket), attribute, micros))));
            }
            for (CompletionStage<AsyncResultSet> answer : sent) {
                Row row = join(answer).one();
                if (row != null) {
                    found.add(stored(row));
                }
            }
        }
        return found;
    }

    /** How many entries a bucket has, counted up to a limit. */
    CompletionStage<Long> count(String entity, Life life, String bucket, int most) {
        return session.executeAsync(settings(
                        count.bind(entity, life.partition(bucket), most).setPageSize(COUNTED_A_PAGE)))
                .thenCompose(page -> countOn(page, 0));
    }

    private static CompletionStage<Long> countOn(AsyncResultSet page, long before) {
        long counted = before + page.remaining();
        return page.hasMorePages()
                ? page.fetchNextPage().thenCompose(next -> countOn(next, counted))
                : CompletableFuture.completedFuture(counted);
    }

    /** The entries of an attribute in a bucket, newest first, those that were carried over included. */
    List<Stored> history(String entity, Life life, String bucket, String attribute, long before, int size) {
        return read(history.bind(entity, life.partition(bucket), attribute, before, size), JournalStore::stored);
    }

    private void execute(Statement<?> statement) {
        operations.queryForResultSet(settings(statement));
    }

    /** Later pages come while the rows are read, past the template. */
    private <T> List<T> read(Statement<?> statement, Function<Row, T> mapper) {
        List<T> rows = new ArrayList<>();
        try {
            for (Row row : operations.queryForResultSet(settings(statement))) {
                rows.add(mapper.apply(row));
            }
        } catch (RuntimeException failure) {
            throw DriverFailures.translated(failure);
        }
        return rows;
    }

    private boolean decide(Statement<?> statement) {
        WriteOutcome outcome = join(conditional.execute(
                new ConditionalWrite(statement.setConsistencyLevel(consistency), row -> false), CONDITIONAL));
        if (outcome instanceof WriteOutcome.Failed failed) {
            throw DriverFailures.translated(failed.cause());
        }
        if (outcome instanceof WriteOutcome.Unknown unknown) {
            throw new UnknownOutcomeException(
                    "The journal had no clear answer for " + CONDITIONAL
                            + ". Call it again with the same arguments: that completes it.",
                    unknown.cause());
        }
        return outcome instanceof WriteOutcome.Applied;
    }

    private Statement<?> settings(Statement<?> statement) {
        return statement.setConsistencyLevel(consistency).setIdempotent(true);
    }

    static <T> T join(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException failed) {
            if (DriverFailures.unwrapped(failed) instanceof RuntimeException failure) {
                throw DriverFailures.translated(failure);
            }
            throw failed;
        }
    }

    private static <T> @Nullable T first(List<T> rows) {
        return rows.isEmpty() ? null : rows.get(0);
    }

    private static Life life(Row row) {
        return Life.of(row.getString(2), row.getString(3), row.getLong(4));
    }

    private static Listed listed(Row row) {
        return new Listed(text(row, 0), row.getLong(1) > 1);
    }

    private static Stored stored(Row row) {
        return new Stored(text(row, 0), row.getLong(1), text(row, 2));
    }

    private static String text(Row row, int column) {
        return Objects.requireNonNull(row.getString(column));
    }
}
