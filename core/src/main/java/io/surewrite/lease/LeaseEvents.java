package io.surewrite.lease;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.observe.Observed;
import io.surewrite.internal.observe.Outage;
import io.surewrite.internal.observe.QuietLog;
import io.surewrite.lease.Lease.LossReason;
import io.surewrite.lease.Lease.ReleaseOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes each wish and each hold; a line of log for each loss, one when leases are not to be had and one when they are again.
 * Called without a lock, on the threads that do the work.
 */
class LeaseEvents {

    private static final Logger log = LoggerFactory.getLogger(LeaseEvents.class);

    private final ObservationRegistry observations;
    private final Outage outage = new Outage();
    private final QuietLog lines = new QuietLog();

    /** Whether the log says that leases are not to be had. */
    private final AtomicBoolean said = new AtomicBoolean();

    LeaseEvents(ObservationRegistry observations) {
        this.observations = observations;
    }

    @Nullable
    Instant unclearSince() {
        return outage.since();
    }

    Observed asked(LeaseRequest request) {
        Observed asked = Observed.start(observations, "surewrite.lease.acquire", null, null);
        asked.with("name", request.name());
        return asked;
    }

    void acquired(Waiter waiter, HeldLease lease, boolean handedOver) {
        waiter.observed.stop(handedOver ? "handed-over" : "acquired");
        Observed hold = waiter.observed.follow("surewrite.lease.hold");
        hold.with("name", lease.name());
        hold.with("token", lease.token());
        lease.observed.complete(hold);
        if (!handedOver) {
            isClear();
        }
    }

    /** Without trouble another holds the name, as the table has told, or only this process. */
    void notAcquired(Waiter waiter, @Nullable RuntimeException trouble, boolean told) {
        if (trouble != null) {
            if (said.compareAndSet(false, true)) { // the reason is in what the caller gets, which may hold values
                log.warn(
                        "Leases are not to be had, the first was '{}': nobody knows who holds a name until Cassandra"
                                + " answers again. Work under them fails meanwhile",
                        waiter.request.name());
            }
            outage.begins();
        } else if (told) {
            isClear();
        }
        waiter.observed.stop(trouble == null ? "refused" : "unavailable", trouble);
    }

    void abandoned(Waiter waiter) {
        waiter.observed.stop("abandoned");
    }

    void renewed(String name, boolean confirmed, boolean clear) {
        log.debug(
                "The renewal of lease '{}' is {}", name, confirmed ? "confirmed" : clear ? "refused" : "not answered");
        if (clear) {
            isClear();
        } else {
            outage.begins();
        }
    }

    private void isClear() {
        Duration took = outage.ends();
        if (took != null && said.getAndSet(false)) {
            log.info("Leases are to be had again, after {} s", took.toSeconds());
        }
    }

    void lost(HeldLease lease, LossReason reason, Duration held) {
        lease.observedEnd.complete(Observed.lowerCase(reason));
        if (reason == LossReason.CLOSED) {
            log.debug("Lease '{}', token {}, ends with the application", lease.name(), lease.token());
            return;
        }
        lines.say(
                reason.name(),
                more -> log.warn(
                        "Lease '{}', token {}, was lost after {} s: {}{}",
                        lease.name(),
                        lease.token(),
                        held.toSeconds(),
                        switch (reason) {
                            case GONE -> "the table does not show it any more";
                            case EXPIRED -> "no renewal was confirmed in time";
                            case MAX_HOLD -> "it was held for as long as it may be";
                            case CLOSED -> "the application ends";
                        },
                        more));
    }

    void released(HeldLease lease, ReleaseOutcome outcome, Duration held) {
        lease.observedEnd.complete(Observed.lowerCase(outcome));
        log.debug("Lease '{}', token {}, ends after {}: {}", lease.name(), lease.token(), held, outcome);
    }
}
