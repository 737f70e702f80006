package io.surewrite.lease;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what a listener throws from the leases. */
final class QuietListener implements LeaseListener {

    private static final Logger LOGGER = LoggerFactory.getLogger(QuietListener.class);

    private final LeaseListener listener;

    QuietListener(LeaseListener listener) {
        this.listener = listener;
    }

    @Override
    public void acquired(Lease lease, Duration waited, boolean handedOver) {
        quietly(() -> listener.acquired(lease, waited, handedOver));
    }

    @Override
    public void notAcquired(String name, Duration waited, boolean decided) {
        quietly(() -> listener.notAcquired(name, waited, decided));
    }

    @Override
    public void renewed(String name, boolean confirmed) {
        quietly(() -> listener.renewed(name, confirmed));
    }

    @Override
    public void lost(Lease lease, LossReason reason, Duration held) {
        quietly(() -> listener.lost(lease, reason, held));
    }

    @Override
    public void released(Lease lease, ReleaseOutcome outcome, Duration held) {
        quietly(() -> listener.released(lease, outcome, held));
    }

    private static void quietly(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException failure) {
            LOGGER.warn("A listener of leases failed", failure);
        }
    }
}
