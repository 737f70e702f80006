package io.surewrite.internal.lwt;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.lwt.ConditionLedger.Call;
import io.surewrite.internal.lwt.ConditionLedger.Write;
import io.surewrite.internal.lwt.Settlement.End;
import io.surewrite.internal.lwt.Settlement.Ours;
import io.surewrite.internal.lwt.Settlement.Shown;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import io.surewrite.write.FakeNode;
import io.surewrite.write.WriteScope;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The way of one process to a row that conditions write: the classes that ship, over the simulated database. */
final class SimConditions {

    private static final ColumnDefinitions COLUMNS = made(ColumnDefinitions.class, (proxy, method, args) -> 2);

    private final World world;
    private final SimCluster cluster;
    private final SimProcess process;
    private final Table table;
    private final PlantedConditionBug plant;
    private final BooleanSupplier unavailable;

    /** The statements that are settled. */
    enum Form {
        /** Of an entity with a version. */
        INSERT,
        UPDATE,
        DELETE,

        /** By a text that compares, and writes, the write id alone. */
        TEXT_INSERT,
        TEXT_UPDATE,
        TEXT_DELETE;

        boolean inserts() {
            return this == INSERT || this == TEXT_INSERT;
        }

        boolean deletes() {
            return this == DELETE || this == TEXT_DELETE;
        }

        boolean isText() {
            return compareTo(TEXT_INSERT) >= 0;
        }
    }

    /** What a row holds. */
    record State(long version, @Nullable UUID writeId) {}

    /**
     * A conditional statement.
     *
     * @param seen what its caller has read, or null if there was no row
     */
    record Request(
            Form form,
            Write write,
            @Nullable State seen,
            @Nullable UUID writeId,
            boolean underOwnId) {

        Ours ours() {
            Long from = form.isText() || seen == null ? null : seen.version();
            return new Ours(
                    "simulated",
                    form.deletes(),
                    writeId == null || form.deletes() ? null : encoded(writeId),
                    underOwnId,
                    from,
                    form.isText() || form.deletes() ? null : from == null ? Long.valueOf(0) : Long.valueOf(from + 1));
        }

        private boolean asksId() {
            return writeId != null && !form.deletes();
        }

        /** What it would make of a row. */
        Shown shown(State row) {
            return new Shown(
                    asksId() && row.writeId() != null ? encoded(row.writeId()) : null,
                    form.isText() ? null : row.version());
        }

        /** A refusal shows the columns of the condition alone, or the whole row if there must be none. */
        @Nullable
        Shown refusal(State row) {
            return form == Form.UPDATE && asksId() ? null : shown(row);
        }

        @Override
        public String toString() {
            return "%s %s".formatted(form, write);
        }
    }

    /** The table with its one row. */
    static final class Table {

        private final ConditionLedger ledger;
        private @Nullable State row;

        Table(ConditionLedger ledger, @Nullable State row) {
            this.ledger = ledger;
            this.row = row;
        }

        Optional<State> row() {
            return Optional.ofNullable(row);
        }

        /** {@return whether it was applied, and if not, the row} */
        Answer apply(Request request) {
            State seen = request.seen();
            boolean holds = (request.form().inserts() || seen == null)
                    ? row == null
                    : row != null
                            && (request.form().isText()
                                    ? Objects.equals(row.writeId(), seen.writeId())
                                    : row.version() == seen.version());
            if (!holds) {
                return new Answer(false, row);
            }
            ledger.applied(request.write());
            row = request.form().deletes() ? null : new State(ledger.version(), request.writeId());
            return new Answer(true, null);
        }
    }

    /** An answer of the server. */
    record Answer(boolean applied, @Nullable State row) {

        @Override
        public String toString() {
            return applied ? "applied" : row == null ? "no row" : "refused by version " + row.version();
        }
    }

    private record ShownRow(State state) implements InvocationHandler {

        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] args) {
            return COLUMNS;
        }
    }

    /**
     * @param unavailable whether the next request is refused, as too few replicas are there
     */
    SimConditions(
            World world,
            SimCluster cluster,
            SimProcess process,
            Table table,
            PlantedConditionBug plant,
            BooleanSupplier unavailable) {
        this.world = world;
        this.cluster = cluster;
        this.process = process;
        this.table = table;
        this.plant = plant;
        this.unavailable = unavailable;
    }

    private static <T> T made(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(SimConditions.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static ByteBuffer encoded(UUID id) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .flip();
    }

    /** Sends a statement until it is known what became of it. */
    CompletionStage<End> settle(Call call, WriteScope scope, Request request, Supplier<Duration> left) {
        SimpleStatement text =
                SimpleStatement.newInstance("UPDATE simulated SET version = 1 WHERE id = 1 IF version = 0");
        Statement<?> statement = scope.applyTo(text);
        Run run = new Run(call, request);
        SettlingConditionalWrites writes = new SettlingConditionalWrites(
                run::send,
                wait -> task -> process.after(wait.toNanos(), task),
                world::number,
                process::nanos,
                ObservationRegistry.NOOP);
        return plant.settlement(
                        writes,
                        scope.statements(),
                        request.ours(),
                        row -> request.refusal(((ShownRow) Proxy.getInvocationHandler(row)).state()),
                        () -> read(call).thenApply(row -> row.map(request::shown)),
                        left,
                        run::isLost)
                .settle(statement, statement);
    }

    /** Reads the row where conditions are decided. */
    CompletionStage<Optional<State>> read(Call call) {
        if (unavailable.getAsBoolean()) {
            CompletableFuture<Optional<State>> answer = new CompletableFuture<>();
            refuse(answer);
            return answer;
        }
        return cluster.ask(process, null, () -> "READ by " + call, node -> table.row())
                .whenComplete((row, lost) -> {
                    if (lost != null) {
                        call.lost();
                    }
                });
    }

    private void refuse(CompletableFuture<?> answer) {
        process.note(() -> "finds too few replicas");
        process.after(World.MILLIS, () -> answer.completeExceptionally(tooFew()));
    }

    static UnavailableException tooFew() {
        return new UnavailableException(FakeNode.named("node1"), ConsistencyLevel.SERIAL, 2, 1);
    }

    /** A statement on its way, from its first run to its last. */
    private final class Run {

        private final Call call;
        private Request request;
        private int runs;
        private boolean lost;

        Run(Call call, Request request) {
            this.call = call;
            this.request = request;
        }

        boolean isLost() {
            return lost;
        }

        CompletionStage<AsyncResultSet> send(Statement<?> statement) {
            CompletableFuture<AsyncResultSet> answer = new CompletableFuture<>();
            if (unavailable.getAsBoolean()) {
                refuse(answer);
                return answer;
            }
            if (runs++ > 0) {
                request = plant.again(request, table.row());
            }
            Request sent = request;
            cluster.send(process, sent::toString, node -> table.apply(sent), seen -> {
                if (seen == null) {
                    lost = true;
                    call.lost();
                    answer.completeExceptionally(plant.failure());
                } else {
                    answer.complete(result(seen));
                }
            });
            return answer;
        }
    }

    private static AsyncResultSet result(Answer answer) {
        List<Row> page = answer.row() == null ? List.of() : List.of(made(Row.class, new ShownRow(answer.row())));
        return made(
                AsyncResultSet.class,
                (proxy, method, args) -> method.getName().equals("wasApplied") ? answer.applied() : page);
    }
}
