package io.surewrite.unique;

import io.surewrite.write.FailureKind;
import io.surewrite.write.WriteFailures.ClassifiedFailure;
import io.surewrite.write.WriteFailures.CopyableFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.TransientDataAccessException;

/**
 * The cluster gave no clear answer before the row was written: the row is as it was, and stays so. A claim may have been
 * left behind, which blocks the value for others until its lease is over, and never for the same row. Trying again is
 * safe.
 */
public class ClaimsUnavailableException extends TransientDataAccessException
        implements CopyableFailure, ClassifiedFailure {

    public ClaimsUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public FailureKind failureKind() {
        return FailureKind.NOT_APPLIED;
    }

    @Override
    public ClaimsUnavailableException copy() {
        return new ClaimsUnavailableException(String.valueOf(getMessage()), getCause());
    }
}
