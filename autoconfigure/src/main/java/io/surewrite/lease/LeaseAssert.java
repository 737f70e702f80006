package io.surewrite.lease;

/**
 * For code that must only run under a lease: the lease of the method annotated with {@link WithLease}, or of
 * {@link LeaseLocks#callUnder}, that the current thread is in.
 */
public final class LeaseAssert {

    private LeaseAssert() {}

    /**
     * Makes sure that the innermost lease of the current thread is still held.
     *
     * @return the lease, whose token guards what is written
     * @throws LeaseLostException if it was lost, or if the thread does not work under a lease
     */
    public static Lease assertHeld() {
        return held(CurrentLeases.innermost()
                .orElseThrow(() -> new LeaseLostException(
                        "", "This code must run under a lease, but the current thread has none", null)));
    }

    /**
     * Makes sure that the current thread works under this lease, and that it is still held.
     *
     * @param name the name of the lease
     * @return the lease, whose token guards what is written
     * @throws LeaseLostException if it was lost, or if the thread does not work under it
     */
    public static Lease assertHeld(String name) {
        return held(CurrentLeases.named(name)
                .orElseThrow(() -> new LeaseLostException(
                        name, "This code must run under lease '%s', but the thread has none".formatted(name), null)));
    }

    private static Lease held(Lease lease) {
        if (!lease.isHeld()) {
            throw new LeaseLostException(lease.name(), "Lease '%s' is not held any more".formatted(lease.name()), null);
        }
        return lease;
    }
}
