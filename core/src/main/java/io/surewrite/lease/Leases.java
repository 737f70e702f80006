package io.surewrite.lease;

import java.util.List;

/** Leases on several names that were acquired together and are released together. */
public interface Leases extends AutoCloseable {

    /** {@return the leases, sorted by name} */
    List<Lease> all();

    /**
     * {@return the lease of one name}
     *
     * @param name one of the names
     * @throws IllegalArgumentException if the name is none of them
     */
    Lease get(String name);

    /** {@return whether every one of them is held} */
    boolean isHeld();

    /** Releases all of them, the last acquired first. */
    @Override
    void close();
}
