package io.surewrite.write;

import io.surewrite.write.WriteFailures.CopyableFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.NonTransientDataAccessException;

/**
 * A write whose outcome stayed unknown until time was up: it may be in effect now, later, or never, in part or in whole. If a
 * part is in effect for certain it is a {@link PartlyDoneException}.
 *
 * <p>Calling the same operation again with the same inputs converges: it finds the earlier write and confirms it, or
 * does it. Undoing it instead is wrong, because the write may still take effect after the undoing. The exception is
 * not "transient" in Spring's sense, so that a generic retry does not run other code on top of an undecided write.
 */
public class UnknownOutcomeException extends NonTransientDataAccessException implements CopyableFailure {

    public UnknownOutcomeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public UnknownOutcomeException copy() {
        return new UnknownOutcomeException(String.valueOf(getMessage()), getCause());
    }
}
