package io.surewrite.lease;

import io.surewrite.cql.GuardedListeners;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Several listeners as one. */
record LeaseListeners(GuardedListeners<LeaseListener> listeners) implements LeaseListener {

    @Override
    public Consumer<String> asked(LeaseRequest request) {
        GuardedListeners<Consumer<String>> answers = listeners.ask(listener -> listener.asked(request), UNHEARD);
        return answers.isEmpty() ? UNHEARD : outcome -> answers.tell(ended -> ended.accept(outcome));
    }

    @Override
    public void acquired(Lease lease, Duration waited, boolean handedOver) {
        listeners.tell(listener -> listener.acquired(lease, waited, handedOver));
    }

    @Override
    public void notAcquired(String name, Duration waited, @Nullable RuntimeException trouble) {
        listeners.tell(listener -> listener.notAcquired(name, waited, trouble));
    }

    @Override
    public void renewed(String name, boolean confirmed) {
        listeners.tell(listener -> listener.renewed(name, confirmed));
    }

    @Override
    public void lost(Lease lease, LossReason reason, Duration held) {
        listeners.tell(listener -> listener.lost(lease, reason, held));
    }

    @Override
    public void released(Lease lease, ReleaseOutcome outcome, Duration held) {
        listeners.tell(listener -> listener.released(lease, outcome, held));
    }
}
