package io.surewrite.lease;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** The leases under which the current thread works, innermost first. */
final class CurrentLeases {

    private static final ThreadLocal<Deque<Lease>> LEASES = ThreadLocal.withInitial(ArrayDeque::new);

    private CurrentLeases() {}

    static void push(Lease lease) {
        LEASES.get().push(lease);
    }

    static void pop(Lease lease) {
        Deque<Lease> leases = LEASES.get();
        leases.removeFirstOccurrence(lease);
        if (leases.isEmpty()) {
            LEASES.remove();
        }
    }

    static Optional<Lease> innermost() {
        return Optional.ofNullable(LEASES.get().peek());
    }

    static Optional<Lease> named(String name) {
        return LEASES.get().stream().filter(lease -> lease.name().equals(name)).findFirst();
    }
}
