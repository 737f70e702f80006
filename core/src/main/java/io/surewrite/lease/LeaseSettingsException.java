package io.surewrite.lease;

/** A setting of the leases is wrong, or settings do not go together. */
public final class LeaseSettingsException extends IllegalArgumentException {

    LeaseSettingsException(String message) {
        super(message);
    }
}
