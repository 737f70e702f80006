package io.surewrite.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.lease.AcquireOutcome;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LossReason;
import io.surewrite.lease.ReleaseOutcome;
import java.time.Duration;
import java.util.Locale;

/**
 * Counts what happens to leases: {@code surewrite.lease.acquire} (time waited, by outcome), {@code .hold} (time held, by
 * how it ended), {@code .renew}, {@code .lost} (by reason), {@code .release} (by outcome) and {@code .swept} (rows). Names are no tags: there may
 * be any number of them.
 */
public final class MicrometerLeaseListener implements LeaseListener {

    private static final String PREFIX = "surewrite.lease.";

    private final MeterRegistry registry;

    /**
     * Creates the listener.
     *
     * @param registry holds the meters
     */
    public MicrometerLeaseListener(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void acquired(Lease lease, Duration waited, boolean handedOver) {
        acquire(handedOver ? "handed-over" : "acquired", waited);
    }

    @Override
    public void notAcquired(String name, Duration waited, AcquireOutcome outcome) {
        acquire(tag(outcome), waited);
    }

    @Override
    public void renewed(String name, boolean confirmed) {
        registry.counter(PREFIX + "renew", "confirmed", Boolean.toString(confirmed))
                .increment();
    }

    @Override
    public void lost(Lease lease, LossReason reason, Duration held) {
        registry.counter(PREFIX + "lost", "reason", tag(reason)).increment();
        registry.timer(PREFIX + "hold", "end", "lost").record(held);
    }

    @Override
    public void released(Lease lease, ReleaseOutcome outcome, Duration held) {
        registry.counter(PREFIX + "release", "outcome", tag(outcome)).increment();
        if (outcome != ReleaseOutcome.NOT_HELD) {
            registry.timer(PREFIX + "hold", "end", "released").record(held);
        }
    }

    @Override
    public void swept(int rows) {
        registry.counter(PREFIX + "swept").increment(rows);
    }

    private void acquire(String outcome, Duration waited) {
        registry.timer(PREFIX + "acquire", "outcome", outcome).record(waited);
    }

    private static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
