package io.surewrite.lease;

import org.jspecify.annotations.Nullable;

/** What all failures of leases have in common. */
public abstract class LeaseException extends RuntimeException {

    private final String name;

    LeaseException(String name, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.name = name;
    }

    /** {@return the name of the lease} */
    public String leaseName() {
        return name;
    }
}
