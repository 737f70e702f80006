package io.surewrite.write;

import io.surewrite.write.WriteFailures.CopyableFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.NonTransientDataAccessException;

/**
 * A clock is known to be so wrong that the operation was not begun: nothing was sent, and nothing has changed. The same
 * call succeeds once the clock is right again, and was measured again, which takes some seconds.
 */
public class ClockOffsetException extends NonTransientDataAccessException implements CopyableFailure {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param operation what was refused
     * @param problem which clock is wrong, and which setting that breaks
     */
    public ClockOffsetException(String operation, String problem) {
        super(
                "%s: refused, and nothing was sent: %s. Fix: have NTP (chrony, systemd-timesyncd) set that clock right. It is measured again every few seconds"
                        .formatted(operation, problem));
    }

    /**
     * The same refusal, seen by the thread that asked.
     *
     * @param original the refusal
     */
    public ClockOffsetException(ClockOffsetException original) {
        super(String.valueOf(original.getMessage()), original);
    }

    private ClockOffsetException(ClockOffsetException original, @Nullable Throwable cause) {
        super(String.valueOf(original.getMessage()), cause);
    }

    @Override
    public ClockOffsetException copy() {
        return new ClockOffsetException(this, getCause());
    }
}
