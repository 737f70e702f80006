package io.surewrite.lease;

import io.surewrite.lease.LeaseLocks.LeaseWork;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * For code that must only run under a lease: the lease of the method annotated with {@link WithLease}, or of
 * {@link LeaseLocks#callUnder}, that the current thread is in.
 */
public final class LeaseAssert {

    /** The leases under which a thread works, innermost first. */
    private static final ThreadLocal<Deque<Lease>> LEASES = ThreadLocal.withInitial(ArrayDeque::new);

    private LeaseAssert() {}

    /**
     * Does something for which {@link #assertHeld()} returns a lease. The leases call it themselves; tests of code that asserts
     * can call it with a lease of their own.
     */
    public static <T extends @Nullable Object, X extends Exception> T during(Lease lease, LeaseWork<T, X> work)
            throws X {
        Deque<Lease> leases = LEASES.get();
        leases.push(lease);
        try {
            return work.run(lease);
        } finally {
            leases.removeFirstOccurrence(lease);
            if (leases.isEmpty()) {
                LEASES.remove();
            }
        }
    }

    /**
     * Makes sure that the innermost lease of the current thread is still held.
     *
     * @return the lease, whose token guards what is written
     * @throws LeaseLostException if it was lost, or if the thread does not work under a lease
     */
    public static Lease assertHeld() {
        return held(Optional.ofNullable(LEASES.get().peek())
                .orElseThrow(() -> new LeaseLostException(
                        "", "This code must run under a lease, but the current thread has none", null)));
    }

    /**
     * Makes sure that the current thread works under the lease of this name, and that it is still held.
     *
     * @return the lease, whose token guards what is written
     * @throws LeaseLostException if it was lost, or if the thread does not work under it
     */
    public static Lease assertHeld(String name) {
        return held(LEASES.get().stream()
                .filter(lease -> lease.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new LeaseLostException(
                        name, "This code must run under lease '%s', but the thread has none".formatted(name), null)));
    }

    /** Whether the current thread works under such a lease. */
    static boolean isUnder(Predicate<Lease> lease) {
        return LEASES.get().stream().anyMatch(lease);
    }

    private static Lease held(Lease lease) {
        if (!lease.isHeld()) {
            throw new LeaseLostException(lease.name(), "Lease '%s' is not held any more".formatted(lease.name()), null);
        }
        return lease;
    }
}
