package io.surewrite.unique;

import io.surewrite.write.UnknownOutcomeException;

/**
 * The write was acknowledged so late that a takeover of one of the row's values may have been faster, and may have written the
 * row again as it was before. Calling again settles it; a timestamp that was pinned by hand must be a later one then.
 */
public class SupersededException extends UnknownOutcomeException {

    public SupersededException(String message) {
        super(message, null);
    }

    @Override
    public SupersededException copy() {
        return new SupersededException(String.valueOf(getMessage()));
    }
}
