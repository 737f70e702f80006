package io.surewrite.journal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.compat.WholeFrameCodec;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.ConditionalWrite;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteOutcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * is listed only while the life goes on, so that a process that ends it knows every partition that can have entries.
 */
final class JournalStore {

    private static final int CHUNK = 100;
    private static final int IN_FLIGHT = 64;

    /** Of each request. */
    private static final int MOST_ROWS = 1_000;

    /** Buckets of no more entries are read whole, in one request. */
    private static final int SMALL = 500;

    private static final Duration CONDITIONAL = Duration.ofSeconds(10);

    private static final String ATTRIBUTE = "a";
    private static final String BUCKET = "b";

    /** Sorts before all other kinds, so that a life and its attributes are one slice. */
    private static final String LIFE = "!";

    /** What is left of the time to live of an entry that is not kept any more. */
    private static final int EXPIRED = -1;

    private static final long MICROS_A_SECOND = 1_000_000;
    private static final int NANOS_A_MICRO = 1_000;
    private static final long LAST_SECOND = Long.MAX_VALUE / MICROS_A_SECOND;

    /** All that is ever sent; {@code %1$s} is the table of entries, {@code %2$s} that of states. */
    private enum Cql {
        INSERT("""
                INSERT INTO %1$s (entity, bucket, attribute, at, value) VALUES (?, ?, ?, ?, ?)
                USING TIMESTAMP ? AND TTL ?"""),
        SET_STATE("""
                INSERT INTO %2$s (entity, kind, name, at, value) VALUES (?, ?, ?, ?, ?)
                USING TIMESTAMP ? AND TTL ?"""),
        LIFE("""
                SELECT kind, name, generation, value, at FROM %2$s WHERE entity = ? AND kind = '!' AND name = 'life'"""),
        CURRENT("SELECT kind, name, generation, value, at FROM %2$s WHERE entity = ? AND kind < 'b'"),
        NAMES("SELECT name, at FROM %2$s WHERE entity = ? AND kind = ?"),
        BELOW("""
                SELECT name, at FROM %2$s WHERE entity = ? AND kind = ? AND name < ?
                ORDER BY kind DESC, name DESC LIMIT 1"""),
        FOLLOWING("SELECT name, at FROM %2$s WHERE entity = ? AND kind = ? AND name > ? LIMIT ?"),
        FIRST("SELECT attribute, at, value FROM %1$s WHERE entity = ? AND bucket = ? LIMIT ?"),
        NEWEST("""
                SELECT attribute, at, value FROM %1$s WHERE entity = ? AND bucket = ? AND attribute = ? AND at <= ?
                ORDER BY attribute ASC, at DESC LIMIT 1"""),
        COUNT("SELECT at FROM %1$s WHERE entity = ? AND bucket = ? LIMIT ?"),
        HISTORY("""
                SELECT attribute, at, value FROM %1$s WHERE entity = ? AND bucket = ? AND attribute = ? AND at < ?
                ORDER BY attribute ASC, at DESC LIMIT ?"""),
        ERASE_BUCKET("DELETE FROM %1$s USING TIMESTAMP ? WHERE entity = ? AND bucket = ?"),
        ERASE_ATTRIBUTES("DELETE FROM %2$s USING TIMESTAMP ? WHERE entity = ? AND kind = ?"),
        LIST("""
                BEGIN BATCH
                UPDATE %2$s SET generation = ?, value = ?, at = ?
                    WHERE entity = ? AND kind = '!' AND name = 'life' IF generation = ? AND at = ?;
                UPDATE %2$s SET at = ? WHERE entity = ? AND kind = ? AND name = ?;
                APPLY BATCH"""),
        COMPLETE("UPDATE %2$s SET at = 2 WHERE entity = ? AND kind = ? AND name = ? IF at = 1"),
        END("""
                UPDATE %2$s SET generation = ? WHERE entity = ? AND kind = '!' AND name = 'life'
                IF generation = ?"""),
        /** For a day no late copy of the transaction that began this life must find the row absent, and begin it again. */
        LEAVE_A_MARK("""
                BEGIN BATCH
                UPDATE %2$s USING TTL 86400 SET generation = '%3$s', value = null, at = null
                    WHERE entity = ? AND kind = '!' AND name = 'life' IF generation = ?;
                DELETE FROM %2$s WHERE entity = ? AND kind = ?;
                APPLY BATCH"""),
        AGREED("SELECT value FROM %2$s WHERE entity = ? AND kind = ? AND name = ?"),
        AGREE("UPDATE %2$s SET value = ? WHERE entity = ? AND kind = ? AND name = ? IF value = null");

        private final String text;

        Cql(String text) {
            this.text = text;
        }
    }

    record Stored(String attribute, long micros, String value) {}

    record Listed(String name, boolean complete) {}

    private final CqlSession session;
    private final CqlOperations operations;
    private final ConditionalWrites conditional;
    private final JournalSettings settings;
    private final Clock clock;
    private final Map<Cql, PreparedStatement> prepared = new EnumMap<>(Cql.class);

    JournalStore(
            CqlSession session,
            CqlOperations operations,
            ConditionalWrites conditional,
            String journal,
            String state,
            JournalSettings settings,
            Clock clock) {
        this.session = session;
        this.operations = operations;
        this.conditional = conditional;
        this.settings = settings;
        this.clock = clock;
        for (Cql cql : Cql.values()) {
            String text = cql.text.formatted(journal, state, Life.FORGOTTEN);
            prepared.put(cql, WholeFrameCodec.withoutColumns(session, session.prepare(text)));
        }
    }

    private BoundStatement bind(Cql cql, @Nullable Object... values) {
        return Objects.requireNonNull(prepared.get(cql)).bind(values);
    }

    /** Microseconds since 1970, rounded down. Instants that no long can hold are the first and the last ones. */
    static long micros(Instant at) {
        if (at.getEpochSecond() >= LAST_SECOND) {
            return Long.MAX_VALUE;
        }
        if (at.getEpochSecond() <= -LAST_SECOND) {
            return Long.MIN_VALUE;
        }
        return at.getEpochSecond() * MICROS_A_SECOND + at.getNano() / NANOS_A_MICRO;
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    boolean keeps(Instant at) {
        return secondsLeft(at) != EXPIRED;
    }

    /**
     * How much longer an entry is kept: it goes at the same instant from wherever it was written to, and before those that are
     * newer. 0 is Cassandra's word for ever.
     */
    private int secondsLeft(Instant at) {
        if (settings.timeToLive().isZero()) {
            return 0;
        }
        long left = Duration.between(clock.instant(), at.plus(settings.timeToLive()))
                .toSeconds();
        return left < 1 ? EXPIRED : Math.toIntExact(left);
    }

    /** Adds entries, to their bucket and to the state, both or none. */
    void add(String entity, Life life, String bucket, Collection<Stored> entries) {
        List<BatchableStatement<?>> inserts = inserts(entity, life, bucket, entries, true);
        if (!inserts.isEmpty()) {
            execute(BatchStatement.newInstance(BatchType.LOGGED, inserts));
        }
    }

    void carry(String entity, Life life, String bucket, Collection<Stored> entries) {
        List<BatchableStatement<?>> inserts = inserts(entity, life, bucket, entries, false);
        for (int from = 0; from < inserts.size(); from += CHUNK) {
            execute(BatchStatement.newInstance(
                    BatchType.UNLOGGED, inserts.subList(from, Math.min(from + CHUNK, inserts.size()))));
        }
    }

    private List<BatchableStatement<?>> inserts(
            String entity, Life life, String bucket, Collection<Stored> entries, boolean alsoIntoTheState) {
        List<BatchableStatement<?>> inserts = new ArrayList<>();
        for (Stored entry : entries) {
            long micros = entry.micros();
            int seconds = secondsLeft(instant(micros));
            String attribute = entry.attribute();
            if (seconds != EXPIRED) {
                String partition = life.partition(bucket);
                inserts.add(bind(Cql.INSERT, entity, partition, attribute, micros, entry.value(), micros, seconds));
            }
            if (seconds != EXPIRED && alsoIntoTheState) {
                String kind = ATTRIBUTE + life.generation();
                inserts.add(bind(Cql.SET_STATE, entity, kind, attribute, micros, entry.value(), micros, seconds));
            }
        }
        return inserts;
    }

    Life life(String entity) {
        List<Life> rows = read(bind(Cql.LIFE, entity), JournalStore::life);
        return rows.isEmpty() ? Life.NONE : rows.get(0);
    }

    List<Stored> state(String entity) {
        Life life = Life.NONE;
        List<Stored> entries = new ArrayList<>();
        for (Row row : read(bind(Cql.CURRENT, entity), Function.identity())) {
            String kind = text(row, 0);
            if (kind.equals(LIFE)) { // which comes first
                life = life(row);
            } else if (kind.equals(ATTRIBUTE + life.generation())) {
                entries.add(new Stored(text(row, 1), row.getLong(4), text(row, 3)));
            }
        }
        return life.isAlive() ? entries : List.of();
    }

    /** The instant of the newest entry of an entity, in microseconds. */
    long newest(String entity, Life life) {
        return read(bind(Cql.NAMES, entity, ATTRIBUTE + life.generation()), row -> row.getLong(1)).stream()
                .reduce(0L, Math::max);
    }

    /** The latest bucket that begins with one of this name or before it. A space sorts before what follows in a longer name. */
    @Nullable
    Listed floor(String entity, Life life, String bucket) {
        return below(entity, life, bucket + " ");
    }

    /** The latest bucket that begins before one of this name. */
    @Nullable
    Listed below(String entity, Life life, String bucket) {
        List<Listed> found = read(bind(Cql.BELOW, entity, BUCKET + life.generation(), bucket), JournalStore::listed);
        return found.isEmpty() ? null : found.get(0);
    }

    /** The first buckets that begin after one of this name, in order of time. */
    List<Listed> after(String entity, Life life, String bucket, int most) {
        return read(bind(Cql.FOLLOWING, entity, BUCKET + life.generation(), bucket, most), JournalStore::listed);
    }

    /** Lists a bucket, if the life is as it was; it is complete if there is nothing to carry into it. */
    boolean list(String entity, Life before, Life after, String bucket, boolean complete) {
        return decide(bind(
                Cql.LIST,
                after.stored(),
                after.periods(),
                after.lists(),
                entity,
                before.stored(),
                before.isAlive() ? Long.valueOf(before.lists()) : null,
                complete ? 2L : 1L,
                entity,
                BUCKET + after.generation(),
                bucket));
    }

    boolean complete(String entity, Life life, String bucket) {
        if (decide(bind(Cql.COMPLETE, entity, BUCKET + life.generation(), bucket))) {
            return true;
        }
        Listed seen = floor(entity, life, bucket);
        return seen != null && seen.name().equals(bucket) && seen.complete();
    }

    /** Ends a life: from then on it has no entries, and no bucket can be listed. */
    boolean end(String entity, Life before, Life ended) {
        return decide(bind(Cql.END, ended.stored(), entity, before.stored()));
    }

    void erase(String entity, Life ended, long micros) {
        for (Listed bucket : after(entity, ended, "", Integer.MAX_VALUE)) {
            execute(bind(Cql.ERASE_BUCKET, micros, entity, ended.partition(bucket.name())));
        }
        execute(bind(Cql.ERASE_ATTRIBUTES, micros, entity, ATTRIBUTE + ended.generation()));
        decide(bind(Cql.LEAVE_A_MARK, entity, ended.stored(), entity, BUCKET + ended.generation()));
    }

    String agreed(String entity, String name, String mine) {
        while (true) {
            List<String> found = read(bind(Cql.AGREED, entity, LIFE, name), row -> text(row, 0));
            if (!found.isEmpty()) {
                return found.get(0);
            }
            if (decide(bind(Cql.AGREE, mine, entity, LIFE, name))) {
                return mine;
            }
        }
    }

    /** The newest entry of each attribute in a bucket, up to an instant: two requests, or one for each attribute. */
    List<Stored> newest(String entity, Life life, String bucket, long micros) {
        List<Stored> begin = read(bind(Cql.FIRST, entity, life.partition(bucket), SMALL + 1), JournalStore::stored);
        if (begin.size() <= SMALL) {
            Map<String, Stored> newest = new HashMap<>();
            for (Stored entry : begin) {
                if (entry.micros() <= micros) {
                    newest.putIfAbsent(entry.attribute(), entry); // they come newest first
                }
            }
            return List.copyOf(newest.values());
        }
        List<String> attributes = read(bind(Cql.NAMES, entity, ATTRIBUTE + life.generation()), row -> text(row, 0));
        List<Stored> found = new ArrayList<>();
        for (int from = 0; from < attributes.size(); from += IN_FLIGHT) {
            List<CompletionStage<AsyncResultSet>> sent = new ArrayList<>();
            for (String attribute : attributes.subList(from, Math.min(from + IN_FLIGHT, attributes.size()))) {
                sent.add(session.executeAsync(
                        settings(bind(Cql.NEWEST, entity, life.partition(bucket), attribute, micros))));
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

    long count(String entity, Life life, String bucket, int most) {
        return read(bind(Cql.COUNT, entity, life.partition(bucket), most), row -> 1)
                .size();
    }

    /** The entries of an attribute in a bucket, newest first, those that were carried over included. */
    List<Stored> history(String entity, Life life, String bucket, String attribute, long before, int size) {
        return read(bind(Cql.HISTORY, entity, life.partition(bucket), attribute, before, size), JournalStore::stored);
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
                new ConditionalWrite(statement.setConsistencyLevel(settings.consistency()), row -> false),
                CONDITIONAL));
        if (outcome instanceof WriteOutcome.Failed failed) {
            throw DriverFailures.thrownHere(DriverFailures.translated(failed.cause()));
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
        return statement
                .setConsistencyLevel(settings.consistency())
                .setIdempotent(true)
                .setPageSize(MOST_ROWS);
    }

    static <T> T join(CompletionStage<T> stage) {
        return DriverFailures.joined(DriverFailures.translated(stage));
    }

    private static Life life(Row row) {
        String periods = row.getString(3);
        return row.isNull(2) ? Life.NONE : new Life(row.getString(2), periods == null ? "" : periods, row.getLong(4));
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
