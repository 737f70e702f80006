package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.QueryTrace;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.cql.TraceEvent;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asserts in a test that a query reads no more tombstones than it may: {@code
 * budget.assertThat("SELECT * FROM user WHERE id = ?", id).readsAtMost(0)}.
 *
 * <p>The query runs with tracing, so the counts are the server's own, of the replica that met the most. A row deletion
 * under a live row is not counted, by the server either.
 */
public final class TombstoneBudget {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long PAUSE_MILLIS = 20;

    /** What a replica says in a trace. */
    private static final Pattern READ = Pattern.compile("Read (\\d+) live rows and (\\d+) tombstone(?: cell)?s?");

    private final CqlSession session;

    private TombstoneBudget(CqlSession session) {
        this.session = session;
    }

    /**
     * A budget for queries of a session.
     *
     * @param session runs the queries
     * @return the budget
     */
    public static TombstoneBudget in(CqlSession session) {
        return new TombstoneBudget(session);
    }

    /**
     * Takes a query.
     *
     * @param cql a SELECT
     * @param values for its markers
     * @return to be asked for its tombstones
     */
    public Query assertThat(String cql, Object... values) {
        return assertThat(SimpleStatement.newInstance(cql, values));
    }

    /**
     * Takes a query.
     *
     * @param query a SELECT
     * @return to be asked for its tombstones
     */
    public Query assertThat(Statement<?> query) {
        return new Query(query);
    }

    /** A query with a budget. */
    public final class Query {

        private final Statement<?> statement;

        private Query(Statement<?> statement) {
            this.statement = statement;
        }

        /**
         * Runs the query.
         *
         * @param tombstones how many it may read, over all its pages
         * @throws AssertionError if it reads more
         */
        public void readsAtMost(long tombstones) {
            TombstoneCount count = count();
            if (count.tombstones() > tombstones) {
                throw new AssertionError("Expected a query to read at most " + tombstones + " tombstones, but it read "
                        + count.tombstones() + " with " + count.liveRows() + " live rows");
            }
        }

        /**
         * Runs the query and counts.
         *
         * @return what it read, over all its pages
         * @throws IllegalStateException if the server tells nothing within ten seconds
         */
        public TombstoneCount count() {
            ResultSet rows = session.execute(statement.setTracing(true));
            rows.forEach(row -> {});
            return rows.getExecutionInfos().stream()
                    .map(TombstoneBudget::await)
                    .reduce(new TombstoneCount(0, 0), TombstoneCount::plus);
        }
    }

    /** Traces are written behind the answer. */
    private static TombstoneCount await(ExecutionInfo page) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE.toNanos()) {
            Optional<TombstoneCount> count = fetch(page).flatMap(TombstoneBudget::worst);
            if (count.isPresent()) {
                return count.get();
            }
            pause();
        }
        throw new IllegalStateException("The server's trace of the query says nothing of rows read within " + PATIENCE
                + ": is it a SELECT, and may the session read system_traces?");
    }

    /** What the replica that met the most tombstones read, or nothing if no replica told yet. */
    static Optional<TombstoneCount> worst(QueryTrace trace) {
        Map<@Nullable InetSocketAddress, TombstoneCount> replicas = new HashMap<>();
        for (TraceEvent event : trace.getEvents()) {
            Matcher read = READ.matcher(String.valueOf(event.getActivity()));
            if (read.find()) {
                TombstoneCount count = new TombstoneCount(Long.parseLong(read.group(1)), Long.parseLong(read.group(2)));
                replicas.merge(event.getSourceAddress(), count, TombstoneCount::plus);
            }
        }
        return replicas.values().stream().max(Comparator.comparingLong(TombstoneCount::tombstones));
    }

    private static Optional<QueryTrace> fetch(ExecutionInfo page) {
        try {
            return Optional.of(page.getQueryTrace());
        } catch (IllegalStateException stillIncomplete) {
            return Optional.empty();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a trace", e);
        }
    }

    /**
     * What a query read.
     *
     * @param liveRows rows that had something to say
     * @param tombstones dead cells and dead rows on the way, as the server counts them for its warnings
     */
    public record TombstoneCount(long liveRows, long tombstones) {

        TombstoneCount plus(TombstoneCount other) {
            return new TombstoneCount(liveRows + other.liveRows, tombstones + other.tombstones);
        }
    }
}
