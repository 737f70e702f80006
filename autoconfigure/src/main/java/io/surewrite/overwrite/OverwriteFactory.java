package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.WriteTimestamps;
import java.time.Clock;
import java.util.List;
import org.springframework.context.ApplicationContext;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.convert.CassandraConverter;

/** Makes overwrites for a session, for applications that have more sessions than the one that is auto-configured. */
public final class OverwriteFactory {

    private final OverwritePlanner planner;
    private final EntityLifecycle lifecycle;
    private final Ticks ticks;
    private final OverwriteListener listener;

    /**
     * Creates a factory.
     *
     * @param session the session, with schema metadata
     * @param converter maps entities
     * @param settings what overwrites may do
     * @param timestamps the session's source of timestamps
     * @param listener hears of overwrites
     * @param context holds entity callbacks and hears events
     */
    public OverwriteFactory(
            CqlSession session,
            CassandraConverter converter,
            OverwriteSettings settings,
            WriteTimestamps timestamps,
            OverwriteListener listener,
            ApplicationContext context) {
        this.planner = new OverwritePlanner(
                new OverwriteTargets(session, converter),
                new RowReader(session, converter),
                new OverwriteRules(settings, Clock.systemUTC()));
        this.lifecycle = new EntityLifecycle(context);
        this.ticks = new Ticks(timestamps);
        this.listener = OverwriteListener.all(List.of(listener));
    }

    OverwritePlanner planner() {
        return planner;
    }

    /**
     * Makes overwrites that block.
     *
     * @param operations sends the statements
     * @return the overwrites, thread-safe
     */
    public RowOverwrites rowOverwrites(CassandraOperations operations) {
        return new SessionRowOverwrites(operations, planner, lifecycle.blocking(), ticks, listener);
    }

    /**
     * Makes overwrites for reactive applications.
     *
     * @param operations sends the statements
     * @return the overwrites, thread-safe
     */
    public ReactiveRowOverwrites reactiveRowOverwrites(ReactiveCassandraOperations operations) {
        return new SessionReactiveRowOverwrites(operations, planner, lifecycle.reactive(), ticks, listener);
    }
}
