package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Run.Fate;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.lease.LeaseRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.stereotype.Component;

/** Whoever was late releases the lock of another one. */
@Component
class LostLock implements Experiment {

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int PAUSE_MILLIS = 100;
    private static final int SLOWEST_MILLIS = 50;

    private final CqlOperations cql;
    private final DyingHolder holders;

    LostLock(CqlOperations cql, DyingHolder holders) {
        this.cql = cql;
        this.holders = holders;
    }

    @Override
    public String name() {
        return "lock";
    }

    @Override
    public Verdict plain(Run run) throws Exception {
        String name = "lock " + UUID.randomUUID();
        watch(run, name);
        run.as("Anna", () -> {
            lock(name, "Anna", TTL);
            run.say("has the lock for %d s, and her process stands still".formatted(TTL.toSeconds()));
            return true;
        });
        run.as("Bert", () -> {
            while (!lock(name, "Bert", LONG)) {
                Thread.sleep(PAUSE_MILLIS);
            }
            run.say("has the lock, and works");
            return true;
        });
        run.as("Anna", () -> {
            run.say("wakes, and releases the lock");
            return cql.execute("DELETE FROM cass_lab_row WHERE id = ? IF EXISTS", name);
        });
        boolean both = run.as("Clara", () -> {
            boolean hasIt = lock(name, "Clara", LONG);
            run.say(hasIt ? "has the lock" : "is refused");
            return hasIt;
        });
        run.settle();
        return verdict(both);
    }

    private boolean lock(String name, String owner, Duration ttl) {
        return cql.execute(
                "INSERT INTO cass_lab_row (id, text) VALUES (?, ?) IF NOT EXISTS USING TTL ?", name, owner, (int)
                        ttl.toSeconds());
    }

    @Override
    public Verdict sure(Run run) throws Exception {
        String name = "alledeals:lab:" + UUID.randomUUID();
        LeaseRequest request = LeaseRequest.of(name);
        watch(run, name);
        try (CloseableLeaseLocks annas = locks(run, "Anna");
                CloseableLeaseLocks berts = locks(run, "Bert");
                CloseableLeaseLocks claras = locks(run, "Clara")) {
            Lease first = run.as(
                    "Anna",
                    () -> take(annas, request.withTtl(TTL).withoutRenewal(), LONG)
                            .orElseThrow());
            run.as("Anna", () -> {
                run.say("has the lease for %d s, token %d, and her process stands still"
                        .formatted(TTL.toSeconds(), first.token()));
                return true;
            });
            Lease second = run.as("Bert", () -> {
                Lease lease = take(berts, request, LONG).orElseThrow();
                run.say("has the lease, token %d, and works".formatted(lease.token()));
                return lease;
            });
            run.as("Anna", () -> {
                run.say("wakes: isHeld() is %s; release says %s".formatted(first.isHeld(), first.release()));
                return true;
            });
            boolean both = run.as("Clara", () -> {
                boolean hasIt = take(claras, request, Duration.ZERO).isPresent();
                run.say(hasIt ? "has the lease" : "is refused");
                return hasIt;
            });
            second.release();
            run.settle();
            return verdict(both);
        }
    }

    /** As a process of their own has them. */
    private CloseableLeaseLocks locks(Run run, String who) {
        String holder = who + " " + UUID.randomUUID();
        run.watch(who, holder);
        return holders.locks(holder);
    }

    /** As whoever stands for a process that does other things meanwhile: for no thread. */
    private static Optional<Lease> take(CloseableLeaseLocks locks, LeaseRequest request, Duration patience) {
        return locks.tryAcquireAsync(request, patience).toCompletableFuture().join();
    }

    private static void watch(Run run, String name) throws InterruptedException {
        run.begin();
        run.watch("in the background", name);
        run.faults((message, random) -> Fate.slow(random.nextInt(SLOWEST_MILLIS)));
    }

    private static Verdict verdict(boolean both) {
        return new Verdict(both ? "Bert and Clara work at once" : "Bert works alone", !both);
    }
}
