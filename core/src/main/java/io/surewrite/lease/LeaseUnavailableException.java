package io.surewrite.lease;

import io.surewrite.write.FailureKind;
import io.surewrite.write.WriteFailures.ClassifiedFailure;
import io.surewrite.write.WriteFailures.CopyableFailure;
import org.jspecify.annotations.Nullable;

/**
 * The cluster gave no clear answer in time, so it is not known which process holds the name. The caller does not: what the
 * attempt may still write is removed by this process or runs out by itself. Trying again later is safe.
 */
public final class LeaseUnavailableException extends LeaseException implements CopyableFailure, ClassifiedFailure {

    public LeaseUnavailableException(String name, String reason, @Nullable Throwable cause) {
        super(name, "Lease '" + name + "' could not be decided: " + reason, cause);
    }

    private LeaseUnavailableException(LeaseUnavailableException original, @Nullable Throwable cause) {
        super(original.leaseName(), String.valueOf(original.getMessage()), cause);
    }

    /** {@return the same failure without stack and cause, for a log that has had both a moment ago} */
    public LeaseUnavailableException brief() {
        LeaseUnavailableException brief = new LeaseUnavailableException(this, null);
        brief.setStackTrace(new StackTraceElement[0]);
        return brief;
    }

    /** What was to be written under the lease was not begun. */
    @Override
    public FailureKind failureKind() {
        return FailureKind.NOT_APPLIED;
    }

    @Override
    public LeaseUnavailableException copy() {
        return new LeaseUnavailableException(this, getCause());
    }
}
