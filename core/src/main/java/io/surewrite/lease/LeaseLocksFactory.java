package io.surewrite.lease;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.clock.ClockGuard;
import io.surewrite.internal.clock.ClockGuard.ClockCheck;
import io.surewrite.internal.lwt.ConditionalProfile;
import io.surewrite.internal.lwt.SerialConsistencyRow;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.Internal;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;

/** Makes {@link LeaseLocks} over a session. */
@Internal
public final class LeaseLocksFactory {

    private LeaseLocksFactory() {}

    public static CloseableLeaseLocks create(
            CqlSession session,
            ConditionalWrites writes,
            String table,
            LeaseSettings settings,
            ObservationRegistry observations) {
        return create(session, writes, table, settings, new LeaseEvents(observations));
    }

    static CloseableLeaseLocks create(
            CqlSession session, ConditionalWrites writes, String table, LeaseSettings settings, LeaseEvents events) {
        CqlSession own = ConditionalProfile.DEFAULT.on(session);
        WriteTimestamps timestamps = WriteTimestamps.of(own);
        return over(
                new CassandraLeaseStore(own, writes, table),
                settings,
                events,
                ClockGuard.of(timestamps).ofAcquiring(),
                timestamps);
    }

    /** All who write the table have its lightweight transactions decided at one level, which a row of it remembers. */
    public static void requireOneSerialConsistency(
            CqlSession session, ConditionalWrites writes, String table, Duration timeout) {
        new SerialConsistencyRow(
                        table,
                        "INSERT INTO %s (name, holder) VALUES ('%s', ?) IF NOT EXISTS"
                                .formatted(table, SerialConsistencyRow.NAME),
                        "holder",
                        "name = '" + SerialConsistencyRow.NAME + "'",
                        "two processes could hold one name")
                .require(session, writes, timeout);
    }

    static CloseableLeaseLocks over(
            LeaseStore store,
            LeaseSettings settings,
            LeaseEvents events,
            ClockCheck clocks,
            WriteTimestamps timestamps) {
        ThreadPoolExecutor callbacks =
                (ThreadPoolExecutor) Executors.newCachedThreadPool(LeaseTime.daemons("surewrite-lease-callback-"));
        // What ends after the leases were closed has an end, too.
        callbacks.setRejectedExecutionHandler(
                (task, closed) -> ForkJoinPool.commonPool().execute(task));
        LeaseTime.OfSystem time = new LeaseTime.OfSystem();
        LeaseContext context = new LeaseContext(
                store,
                time,
                clocks,
                timestamps,
                new DeadlinesAndTokens(settings),
                settings,
                UUID::randomUUID,
                () -> ThreadLocalRandom.current().nextDouble(),
                events,
                callbacks);
        return new ProcessLeases(context, () -> {
            time.scheduler().shutdown();
            callbacks.shutdown();
        });
    }
}
