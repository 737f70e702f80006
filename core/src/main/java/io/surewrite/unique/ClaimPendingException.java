package io.surewrite.unique;

import io.surewrite.write.WriteFailures.CopyableFailure;
import java.time.Duration;
import org.springframework.dao.PessimisticLockingFailureException;

/**
 * Another write holds the value and has not finished: whether it succeeds is not known yet. Nothing was written. Trying
 * again later gives a clear answer, at the latest when the time left is over.
 */
public class ClaimPendingException extends PessimisticLockingFailureException implements CopyableFailure {

    private final String constraint;
    private final Duration timeLeft;

    public ClaimPendingException(String constraint, Duration timeLeft) {
        super(
                "Another write is about to take or leave the value of unique constraint '%s'; decided in %d ms at the latest"
                        .formatted(constraint, timeLeft.toMillis()));
        this.constraint = constraint;
        this.timeLeft = timeLeft;
    }

    /** {@return the name of the constraint} */
    public String constraint() {
        return constraint;
    }

    /** {@return how long to wait at most until another try gets a clear answer} */
    public Duration timeLeft() {
        return timeLeft;
    }

    @Override
    public ClaimPendingException copy() {
        return new ClaimPendingException(constraint, timeLeft);
    }
}
