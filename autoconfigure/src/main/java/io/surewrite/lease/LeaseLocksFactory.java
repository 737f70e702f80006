package io.surewrite.lease;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.ConditionalWrites;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Makes {@link LeaseLocks} over a session. */
public final class LeaseLocksFactory {

    private LeaseLocksFactory() {}

    /**
     * Leases in the table {@code surewrite_lease}, which must exist when the first lease is asked for.
     *
     * @param session the session; it stays open
     * @param writes how conditional writes run
     * @param keyspace the keyspace of the table; null for the session's
     * @param settings how leases behave
     * @param listener who is told what happens
     * @return the leases; those of a closed one are released
     */
    public static CloseableLeaseLocks create(
            CqlSession session,
            ConditionalWrites writes,
            @Nullable CqlIdentifier keyspace,
            LeaseSettings settings,
            LeaseListener listener) {
        String table = (keyspace == null ? "" : keyspace.asCql(true) + ".") + CassandraLeaseStore.TABLE;
        return over(new CassandraLeaseStore(session, writes, table), settings, listener);
    }

    static CloseableLeaseLocks over(LeaseStore store, LeaseSettings settings, LeaseListener listener) {
        SystemLeaseTime time = new SystemLeaseTime();
        AtomicInteger number = new AtomicInteger();
        ExecutorService callbacks = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "surewrite-lease-callback-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        LeaseParts parts = new LeaseParts(
                store,
                time,
                new LeaseRules(settings.handOverLimit(), settings.skewMargin()),
                settings,
                UUID::randomUUID,
                () -> ThreadLocalRandom.current().nextDouble(),
                new QuietListener(listener),
                callbacks);
        return new ClusterLeaseLocks(parts, () -> {
            time.close();
            callbacks.shutdown();
        });
    }
}
