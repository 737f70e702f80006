package io.surewrite.lease;

import io.surewrite.cql.GuardedListeners;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears what happens to the leases of this process. Called on the threads that do the work: be quick, and do not call
 * back. What a listener throws is logged, once a minute at most, and changes nothing.
 */
public interface LeaseListener {

    /** Hears nothing of how an acquisition ends. */
    Consumer<String> UNHEARD = outcome -> {};

    /**
     * A caller asks for a lease. Called on its thread, before anything is sent.
     *
     * @param request what it asks for
     * @return called once with how that ends, on any thread: {@code acquired}, {@code handed-over}, {@code refused} (another
     *     holds it), {@code unavailable} (the cluster gave no clear answer) or {@code abandoned} (the caller was interrupted)
     */
    default Consumer<String> asked(LeaseRequest request) {
        return UNHEARD;
    }

    /**
     * A lease was acquired.
     *
     * @param lease the lease
     * @param waited how long the caller waited for it
     * @param handedOver whether it came from another holder of this process, without asking the cluster
     */
    default void acquired(Lease lease, Duration waited, boolean handedOver) {}

    /**
     * A lease was not acquired. Not called where the caller was interrupted.
     *
     * @param name the name
     * @param waited how long the caller waited
     * @param trouble why the cluster gave no clear answer, or was not asked; null if another holds it
     */
    default void notAcquired(String name, Duration waited, @Nullable RuntimeException trouble) {}

    /**
     * A renewal was answered.
     *
     * @param name the name
     * @param confirmed whether the lease was prolonged
     */
    default void renewed(String name, boolean confirmed) {}

    /**
     * A lease was lost.
     *
     * @param lease the lease
     * @param reason why
     * @param held how long it was held
     */
    default void lost(Lease lease, LossReason reason, Duration held) {}

    /**
     * A lease was released.
     *
     * @param lease the lease
     * @param outcome what became of the release
     * @param held how long it was held
     */
    default void released(Lease lease, ReleaseOutcome outcome, Duration held) {}

    /**
     * {@return one listener that calls all of these and throws nothing}
     *
     * @param listeners the listeners, in this order
     */
    static LeaseListener all(List<LeaseListener> listeners) {
        return listeners.size() == 1 && listeners.get(0) instanceof LeaseListeners guarded
                ? guarded
                : new LeaseListeners(GuardedListeners.of(listeners));
    }
}
