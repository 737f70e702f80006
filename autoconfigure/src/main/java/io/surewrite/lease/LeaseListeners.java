package io.surewrite.lease;

import java.time.Duration;
import java.util.ArrayList;
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
    public Consumer<AcquireOutcome> asked(LeaseRequest request) {
        List<Consumer<AcquireOutcome>> all = new ArrayList<>(listeners.size());
        tell(listener -> all.add(listener.asked(request)));
        return outcome -> all.forEach(ended -> guarded(() -> ended.accept(outcome)));
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
        listeners.forEach(listener -> guarded(() -> call.accept(listener)));
    }

    private static void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException failure) {
            LOGGER.warn("A listener of leases failed", failure);
        }
    }
}
