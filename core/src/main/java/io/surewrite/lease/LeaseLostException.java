package io.surewrite.lease;

import io.surewrite.write.WriteFailures.CopyableFailure;
import io.surewrite.write.WriteHolds.WriteHold;
import org.jspecify.annotations.Nullable;

/** Work that needs a lease runs without it: the lease was lost on the way, or there never was one. */
public final class LeaseLostException extends LeaseException implements CopyableFailure, WriteHold.Lost {

    public LeaseLostException(String name, String message, @Nullable Throwable cause) {
        super(name, message, cause);
    }

    @Override
    public LeaseLostException copy() {
        return new LeaseLostException(leaseName(), String.valueOf(getMessage()), getCause());
    }
}
