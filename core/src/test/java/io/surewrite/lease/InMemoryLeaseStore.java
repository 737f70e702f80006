package io.surewrite.lease;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The table in this JVM, reached through another thread. */
class InMemoryLeaseStore implements LeaseStore {

    private final Map<String, Entry> rows = new HashMap<>();
    private final Executor driver;
    private final Queue<Boolean> unanswered = new ArrayDeque<>();

    volatile boolean silent;

    private record Entry(long epoch, @Nullable LeaseWrite claim, long goneAt, long writeTs) {}

    InMemoryLeaseStore(Executor driver) {
        this.driver = driver;
    }

    @Override
    public CompletionStage<LeaseAnswer> acquire(LeaseWrite claim, Duration timeout) {
        return answer(() -> acquired(claim));
    }

    @Override
    public CompletionStage<LeaseAnswer> renew(Set<UUID> heldIds, LeaseWrite claim, Duration timeout) {
        return answer(() -> renewed(heldIds, claim));
    }

    @Override
    public CompletionStage<LeaseAnswer> release(String name, Set<UUID> heldIds, long writeTs, Duration timeout) {
        return answer(() -> replaced(name, heldIds, null, writeTs));
    }

    @Override
    public CompletionStage<LeaseRow> read(String name) {
        return answer(() -> row(name));
    }

    private <T> CompletionStage<T> answer(Supplier<T> statement) {
        return silent
                ? new CompletableFuture<T>().orTimeout(400, TimeUnit.MILLISECONDS) // as each request ends one day
                : CompletableFuture.supplyAsync(statement, driver);
    }

    private synchronized LeaseAnswer acquired(LeaseWrite claim) {
        LeaseRow row = row(claim.name());
        if (claim.leaseId().equals(row.leaseId())) {
            return new LeaseAnswer.Done();
        }
        if (row.leaseId() != null
                || row.epoch() != claim.expectedEpoch()
                || (claim.checksFloor() && (row.epoch() == 0 || row.writeTs() > claim.floor()))) {
            boolean shown = claim.checksFloor() && row.epoch() != 0;
            return new LeaseAnswer.Refused(row.epoch(), row.leaseId(), shown ? row.writeTs() : null);
        }
        put(claim.name(), claim.nextEpoch(), claim, claim.reserved());
        return new LeaseAnswer.Done();
    }

    private synchronized LeaseAnswer renewed(Set<UUID> heldIds, LeaseWrite claim) {
        Boolean applied = unanswered.poll();
        if (applied == null) {
            return replaced(claim.name(), heldIds, claim, claim.reserved());
        }
        if (applied) {
            replaced(claim.name(), heldIds, claim, claim.reserved());
        }
        return new LeaseAnswer.Unclear(new IllegalStateException("no answer"));
    }

    private synchronized LeaseAnswer replaced(
            String name, Set<UUID> heldIds, @Nullable LeaseWrite claim, long writeTs) {
        LeaseRow row = row(name);
        if (claim != null && claim.leaseId().equals(row.leaseId())) {
            return new LeaseAnswer.Done();
        }
        if (row.leaseId() == null || !heldIds.contains(row.leaseId())) {
            // The columns of the condition alone, which names no epoch.
            return new LeaseAnswer.Refused(0, row.leaseId(), null);
        }
        put(name, row.epoch(), claim, writeTs);
        return new LeaseAnswer.Done();
    }

    private void put(String name, long epoch, @Nullable LeaseWrite claim, long writeTs) {
        long goneAt = claim == null ? 0 : System.nanoTime() + claim.ttl().toNanos();
        rows.put(name, new Entry(epoch, claim, goneAt, writeTs));
    }

    /** Gives no clear answer to one more of the next renewals. */
    synchronized void loseAnswer(boolean applied) {
        unanswered.add(applied);
    }

    /** Takes whoever holds a name out of the table. */
    synchronized void clear(String name) {
        put(name, row(name).epoch(), null, row(name).writeTs());
    }

    synchronized LeaseRow row(String name) {
        Entry entry = rows.get(name);
        if (entry == null) {
            return LeaseRow.ABSENT;
        }
        LeaseWrite claim = entry.claim();
        long left = entry.goneAt() - System.nanoTime();
        return claim == null || left <= 0
                ? new LeaseRow(entry.epoch(), null, null, Duration.ZERO, entry.writeTs())
                : new LeaseRow(
                        entry.epoch(),
                        claim.leaseId(),
                        claim.holder(),
                        Duration.ofSeconds(1 + (left - 1) / 1_000_000_000),
                        entry.writeTs());
    }
}
