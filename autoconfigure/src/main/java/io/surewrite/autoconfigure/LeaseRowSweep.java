package io.surewrite.autoconfigure;

import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.tenure.LeaseSweep;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/** Removes the rows of leases that were not used for long, once every process that uses the table knows of it. */
final class LeaseRowSweep extends BackgroundSweep {

    static final String LEASE = "surewrite:lease-sweep";

    /** Longer than it takes until a table that is closed to older processes may be swept. */
    private static final Duration FIRST_AFTER = Duration.ofMinutes(3);

    private static final Logger log = LoggerFactory.getLogger(LeaseRowSweep.class);

    private final LeaseSweep sweep;
    private final BooleanSupplier knownToAll;

    /**
     * @param knownToAll whether no process uses the table that does not know of sweeps
     */
    LeaseRowSweep(LeaseSweep sweep, BooleanSupplier knownToAll, ObjectProvider<LeaseLocks> leases, Duration every) {
        super("Rows of leases that are not used any more", LEASE, leases, FIRST_AFTER, every);
        this.sweep = sweep;
        this.knownToAll = knownToAll;
    }

    /** Asks early: it takes a while until the answer can be yes. */
    @Override
    public synchronized void start() {
        mayBegin();
        super.start();
    }

    @Override
    boolean mayBegin() {
        return knownToAll.getAsBoolean();
    }

    @Override
    void sweepWhile(BooleanSupplier mayGoOn) {
        try {
            long removed = sweep.run(mayGoOn).toCompletableFuture().join();
            log.info("{} rows of leases removed that were not used any more", removed);
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }
}
