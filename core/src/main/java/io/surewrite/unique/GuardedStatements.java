package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.cql.RowText;
import io.surewrite.internal.session.StatementGuards;
import io.surewrite.write.Internal;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.SentWrites;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/**
 * Sends what templates write to tables with unique constraints through the guard, and refuses what it cannot guard. What
 * becomes of a statement is decided by its text, once, and remembered; for other tables that look-up is all.
 */
@Internal
public final class GuardedStatements implements StatementGuards.Guard {

    private final CqlSession session;
    private final Map<CqlText.Name, GuardedTable> tables = new ConcurrentHashMap<>();

    private volatile CqlText.Made<Text, Plan> plans = noPlans();

    private record Text(String cql, @Nullable CqlIdentifier here) {}

    /** What becomes of the statements of one text. */
    interface Plan {

        /** They are sent as they are. */
        Plan PASS = (statement, blocking, inserting) -> null;

        @Nullable
        CompletionStage<AsyncResultSet> send(
                Statement<?> statement, boolean blocking, CqlText.@Nullable Name inserting);
    }

    record Refusal(String problem) implements Plan {

        @Override
        public CompletionStage<AsyncResultSet> send(
                Statement<?> statement, boolean blocking, CqlText.@Nullable Name inserting) {
            return CompletableFuture.failedFuture(new InvalidDataAccessApiUsageException(problem + ". Fix: " + FIX));
        }
    }

    private static final String FIX =
            "Read the entity, change it, and save or delete it as a whole, by a statement of its own, without a timestamp or condition";

    private static final Refusal BATCH =
            new Refusal("A batch writes rows with unique values, whose claims cannot be made for all of them at once");

    private GuardedStatements(CqlSession session) {
        this.session = session;
    }

    /** The one of a session, which is no template's. */
    public static GuardedStatements of(StatementGuards guards, CqlSession session) {
        return (GuardedStatements) guards.of(session.getContext(), added -> new GuardedStatements(session));
    }

    private CqlText.Made<Text, Plan> noPlans() {
        return new CqlText.Made<>(text -> plan(text, true));
    }

    /** Guards a table, by these constraints too; an update of all columns of an entity writes a whole row. */
    public synchronized void add(
            TableMetadata table,
            List<UniqueConstraint> constraints,
            Set<CqlIdentifier> entity,
            ClaimingGuard guard,
            Consumer<CqlRows> deleteAll) {
        tables.merge(
                CqlText.Name.of(table),
                new GuardedTable(CqlRows.of(session, table, constraints), Set.of(entity), guard, deleteAll),
                GuardedTable::and);
        plans = noPlans();
    }

    @Override
    public @Nullable CompletionStage<AsyncResultSet> send(
            Statement<?> statement, boolean blocking, CqlText.@Nullable Name inserting) {
        Plan plan = statement instanceof BatchStatement batch ? plan(batch) : plan(statement);
        if (plan == Plan.PASS) {
            return null;
        }
        CompletionStage<AsyncResultSet> sent;
        try {
            sent = plan.send(statement, blocking, inserting);
        } catch (RuntimeException wrong) {
            sent = CompletableFuture.failedFuture(wrong);
        }
        if (sent != null) {
            refuseToKeep();
        }
        return sent;
    }

    @Override
    public StatementGuards.@Nullable Rows rows(CqlText.Name table) {
        return tables.get(table);
    }

    static void refuseToKeep() {
        SentWrites.refuseCurrent("it wrote a row with unique values, whose claims cannot wait");
    }

    private Plan plan(BatchStatement batch) {
        for (Statement<?> part : batch) {
            if (plan(part) != Plan.PASS) {
                return BATCH;
            }
        }
        return Plan.PASS;
    }

    private Plan plan(Statement<?> statement) {
        String cql = CqlText.of(statement).cql();
        Text text = new Text(cql, CqlText.here(statement, session.getKeyspace().orElse(null)));
        return plans.get(text, cql);
    }

    public CqlRows rowsOf(TableMetadata table) {
        return Objects.requireNonNull(tables.get(CqlText.Name.of(table))).rows();
    }

    /** Refuses the text of an operation whose statements are neither guarded nor pass. */
    public void require(String operation, String cql) {
        if (plan(new Text(cql, session.getKeyspace().orElse(null)), false) instanceof Refusal refused) {
            throw new InvalidConfigurationException(
                    operation, "%s: %s.".formatted(operation, refused.problem()), FIX + ".", "unique");
        }
    }

    private Plan plan(Text text, boolean mayBeOfAnEntity) {
        CqlText says = CqlText.of(text.cql());
        if (says.reads()) {
            return Plan.PASS;
        }
        RowText rows = says.rows();
        if (rows != null) {
            GuardedTable table = tables.get(rows.table().in(text.here()));
            return table == null ? Plan.PASS : table.plan(says, rows, mayBeOfAnEntity);
        }
        if (says.changesTheSchema()) {
            return Plan.PASS;
        }
        return says.tables(text.here()).stream()
                .map(tables::get)
                .filter(Objects::nonNull)
                .findFirst()
                .<Plan>map(table ->
                        table.refusal("is in a batch, or written in a way in which nobody sees the values of columns"))
                .orElse(Plan.PASS);
    }
}
