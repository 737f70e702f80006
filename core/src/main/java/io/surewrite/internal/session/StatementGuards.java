package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.write.WriteOutcome;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** What goes in the place of statements that an application's templates must not send as they are, by session. */
public final class StatementGuards {

    /** That what is inserted into a table are new rows, which no statement tells. A call within says it of its own table alone. */
    public static final Said<CqlText.Name> INSERTING = new Said<>();

    /** Has the outcome of a condition told to one who can read no row. */
    public static final Said<Consumer<WriteOutcome>> TELLING = new Said<>();

    private final Map<DriverContext, Guard> guards = new ConcurrentHashMap<>();
    private final Map<DriverContext, Settler> settlers = new ConcurrentHashMap<>();

    /** Sends the statements of one session in another way. */
    public interface Guard {

        /**
         * Sends a statement in the scope of the calling thread; null if it is to be sent as it is.
         *
         * @param blocking whether steps that block may run on this thread
         * @param inserting the table whose inserts are known to be of new rows
         */
        @Nullable
        CompletionStage<AsyncResultSet> send(
                Statement<?> statement, boolean blocking, CqlText.@Nullable Name inserting);

        /** Null if the rows of a table are written as they are. */
        @Nullable
        Rows rows(CqlText.Name table);
    }

    /** Sends conditional statements of one session until it is known what became of them. */
    @FunctionalInterface
    public interface Settler {

        /** As a guard does. Who is told the outcome is answered no row. */
        @Nullable
        CompletionStage<AsyncResultSet> send(Statement<?> statement, @Nullable Consumer<WriteOutcome> told);
    }

    /** Writes whole rows of one table. */
    public interface Rows {

        /** The columns of unique values, of which a row must have all. */
        Set<CqlIdentifier> constrained();

        /**
         * Writes a row over what was there, in the scope of the calling thread.
         *
         * @param write sends the row at a timestamp, perhaps several times; it deletes what was there one tick before
         */
        CompletionStage<Void> overwrite(
                Function<CqlIdentifier, @Nullable ByteBuffer> values, LongFunction<CompletionStage<Void>> write);
    }

    public Guard of(DriverContext session, Function<DriverContext, Guard> first) {
        return guards.computeIfAbsent(session, first);
    }

    public Settler settlerOf(DriverContext session, Function<DriverContext, Settler> first) {
        return settlers.computeIfAbsent(session, first);
    }

    public @Nullable Rows rows(DriverContext session, CqlText.Name table) {
        Guard guard = guards.isEmpty() ? null : guards.get(session);
        return guard == null ? null : guard.rows(table);
    }

    /** {@return what becomes of a statement on this thread; null if it is to be sent as it is} */
    @Nullable
    CompletionStage<AsyncResultSet> send(Statement<?> statement, DriverContext session, boolean blocking) {
        return send(statement, session, blocking, INSERTING.here(), TELLING.here());
    }

    @Nullable
    CompletionStage<AsyncResultSet> send(
            Statement<?> statement,
            DriverContext session,
            boolean blocking,
            CqlText.@Nullable Name inserting,
            @Nullable Consumer<WriteOutcome> told) {
        Guard guard = guards.isEmpty() ? null : guards.get(session);
        CompletionStage<AsyncResultSet> sent = guard == null ? null : guard.send(statement, blocking, inserting);
        Settler settler = sent != null || settlers.isEmpty() ? null : settlers.get(session);
        return settler == null ? sent : settler.send(statement, told);
    }
}
