package io.surewrite.overwrite.engine;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.cql.session.SureLevel;
import io.surewrite.overwrite.OverwriteException;
import io.surewrite.overwrite.OverwriteListener;
import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.overwrite.OverwriteSettings;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.rows.EntityLifecycle;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.convert.CassandraConverter;

/** Makes overwrites for a session, for applications that have more sessions than the one that is auto-configured. */
public final class OverwriteFactory {

    private final CqlSession session;
    private final Overwrites overwrites;
    private final EntityLifecycle lifecycle;
    private final @Nullable SureLevel level;

    /**
     * Creates a factory.
     *
     * @param session the session, with schema metadata
     * @param converter maps entities
     * @param settings what overwrites may do
     * @param timestamps the session's source of timestamps
     * @param listener hears of overwrites
     * @param context holds entity callbacks and hears events
     * @param used hears of each table before it is first overwritten
     */
    public OverwriteFactory(
            CqlSession session,
            CassandraConverter converter,
            OverwriteSettings settings,
            WriteTimestamps timestamps,
            OverwriteListener listener,
            ApplicationContext context,
            Consumer<TableMetadata> used) {
        this.session = session;
        this.overwrites = new Overwrites(
                session,
                new OverwritePlanner(session, converter, used, new OverwriteRules(settings, Clock.systemUTC())),
                timestamps,
                OverwriteListener.all(List.of(listener)));
        this.lifecycle = new EntityLifecycle(context);
        this.level = settings.sureLevel() ? SureLevel.of(session) : null;
    }

    OverwritePlanner planner() {
        return overwrites.planner();
    }

    /**
     * Makes overwrites that block.
     *
     * @param operations sends the statements
     * @return the overwrites, thread-safe
     */
    public RowOverwrites rowOverwrites(CassandraOperations operations) {
        return new BlockingOverwrites(operations, overwrites, lifecycle.blocking(), level);
    }

    /**
     * Checks overwrites that a guard will send, one by one.
     *
     * @param entities the whole rows of one call, after their first callbacks
     * @return the overwrites, in the same order
     * @throws OverwriteException if one is refused
     */
    public List<GuardedOverwrite> guarded(List<?> entities) {
        List<OverwritePlan> plans = new ArrayList<>();
        for (Object entity : entities) {
            // The guard decides the timestamps later; each write has one of its own.
            plans.add(planner().overwrite(entity, OverwriteOptions.none(), plans.size() + 1L));
        }
        WrittenRows.admit(plans, null);
        return plans.stream()
                .map(plan -> new GuardedOverwrite(session, overwrites, plan))
                .toList();
    }

    /**
     * Makes overwrites for reactive applications.
     *
     * @param operations sends the statements
     * @return the overwrites, thread-safe
     */
    public ReactiveRowOverwrites reactiveRowOverwrites(ReactiveCassandraOperations operations) {
        return new ReactiveOverwrites(operations, overwrites, lifecycle.reactive(), level);
    }
}
