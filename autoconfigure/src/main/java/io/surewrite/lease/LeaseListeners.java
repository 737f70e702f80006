package io.surewrite.lease;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells several listeners, and keeps what they throw from the leases. */
final class LeaseListeners implements LeaseListener {

    private static final Logger LOGGER = LoggerFactory.getLogger(LeaseListeners.class);

    private final List<LeaseListener> listeners;

    LeaseListeners(List<LeaseListener> listeners) {
        this.listeners = listeners;
    }

    @Override
    public void acquired(Lease lease, Duration waited, boolean handedOver) {
        tell(listener -> listener.acquired(lease, waited, handedOver));
    }

    @Override
    public void notAcquired(String name, Duration waited, boolean decided) {
        tell(listener -> listener.notAcquired(name, waited, decided));
    }

    @Override
    public void renewed(String name, boolean confirmed) {
        tell(listener -> listener.renewed(name, confirmed));
    }

    @Override
    public void lost(Lease lease, LossReason reason, Duration held) {
        tell(listener -> listener.lost(lease, reason, held));
    }

    @Override
    public void released(Lease lease, ReleaseOutcome outcome, Duration held) {
        tell(listener -> listener.released(lease, outcome, held));
    }

    private void tell(Consumer<LeaseListener> call) {
        for (LeaseListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException failure) {
                LOGGER.warn("A listener of leases failed", failure);
            }
        }
    }
}
