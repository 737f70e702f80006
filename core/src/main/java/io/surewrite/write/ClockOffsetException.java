package io.surewrite.write;

import io.surewrite.write.WriteFailures.CopyableFailure;
import org.springframework.dao.NonTransientDataAccessException;

/**
 * A clock is known to be so wrong, or was set and may be so, that the operation was not begun: nothing was sent, and nothing has
 * changed. The same call succeeds once the clock is right, and was measured again, which takes some seconds.
 */
public class ClockOffsetException extends NonTransientDataAccessException implements CopyableFailure {

    /** Says what was refused, and which clock is wrong. */
    public ClockOffsetException(String operation, String problem) {
        super(
                "%s: refused, and nothing was sent: %s. Fix: have NTP (chrony, systemd-timesyncd) set that clock right. It is measured again every few seconds"
                        .formatted(operation, problem));
    }

    private ClockOffsetException(String message) {
        super(message);
    }

    @Override
    public ClockOffsetException copy() {
        return new ClockOffsetException(String.valueOf(getMessage()));
    }
}
