package io.surewrite.alledeals.begun;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Finishes what a crash left, in one process at a time. The lease only saves work: everything here may run twice.
 *
 * <p>Each round looks at the last buckets. The first round of a process, and one an hour, looks at a whole day: what was
 * begun while nobody ran, or what Cassandra completed much later than anybody waited for it. So does one after the
 * backlog has brought something late.
 */
@Component
public class Reconciler {

    private static final Logger log = LoggerFactory.getLogger(Reconciler.class);

    /** Who holds it reconciles. */
    public static final LeaseRequest LEASE =
            LeaseRequest.of("alledeals:reconciler").withTtl(Duration.ofSeconds(10));

    private static final Duration RECENT = TimeBuckets.LENGTH;

    /** As long as an unbound purchase lives, and one hour for clocks. */
    private static final Duration A_DAY = Duration.ofHours(25);

    private static final Duration THOROUGH_EVERY = Duration.ofHours(1);

    private final List<Unfinished> work;
    private final LeaseLocks locks;
    private final LateNotes late;
    private final Clock clock;
    private Instant thoroughUntil = Instant.MIN;

    Reconciler(List<Unfinished> work, LeaseLocks locks, LateNotes late, Clock clock) {
        this.work = work;
        this.locks = locks;
        this.late = late;
        this.clock = clock;
    }

    /** One round, unless another process is at it. */
    @Scheduled(
            fixedDelayString = "${alledeals.reconcile-every:10s}",
            initialDelayString = "${alledeals.reconcile-every:10s}")
    public synchronized void reconcile() {
        Optional<Lease> free = tryAcquire();
        if (free.isEmpty()) {
            return;
        }
        try (Lease lease = free.get()) {
            Instant now = clock.instant();
            boolean thorough = late.take() || !now.isBefore(thoroughUntil);
            boolean complete = TimeBuckets.between(now.minus(thorough ? A_DAY : RECENT), now)
                    .takeWhile(bucket -> lease.isHeld())
                    .map(this::finish)
                    .reduce(true, Boolean::logicalAnd);
            if (thorough) {
                // What could not be looked at is in the next round: a database that has just come back may fail again.
                thoroughUntil = complete && lease.isHeld() ? now.plus(THOROUGH_EVERY) : Instant.MIN;
            }
        }
    }

    /** Tells whether everything in the bucket could be looked at. */
    private boolean finish(Instant bucket) {
        boolean complete = true;
        for (Unfinished kind : work) {
            try {
                int finished = kind.finish(bucket);
                if (finished > 0) {
                    log.info("Finished {} pieces of work begun since {}", finished, bucket);
                }
            } catch (DataAccessException trouble) {
                log.warn("Could not finish what was begun since {}: {}", bucket, trouble.getMessage());
                complete = false;
            }
        }
        return complete;
    }

    /**
     * The lease elects who does the work, and orders no writes: those carry the times of what they complete. So it is
     * acquired for no thread, and what this one writes may wait in the backlog as anybody's may.
     */
    private Optional<Lease> tryAcquire() {
        return locks.tryAcquireAsync(LEASE)
                .exceptionally(trouble -> {
                    log.warn("Cannot tell who reconciles: {}", trouble.getMessage());
                    return Optional.empty();
                })
                .toCompletableFuture()
                .join();
    }
}
