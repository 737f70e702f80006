package io.surewrite.write;

import org.jspecify.annotations.Nullable;

/**
 * A call of several statements was given up after some of them were acknowledged: a part of it is in effect, and the rest may
 * or may not be.
 *
 * <p>As with every unknown outcome, calling the same operation again with the same inputs converges, once what the cause names
 * is over: statements that are in effect already are written once more.
 */
public class PartlyDoneException extends UnknownOutcomeException {

    private final int done;
    private final int undecided;

    public PartlyDoneException(String message, @Nullable Throwable cause, int done, int undecided) {
        super(message, cause);
        this.done = done;
        this.undecided = undecided;
    }

    /** {@return the number of statements that are in effect for certain; of a stream, the number of elements} */
    public int done() {
        return done;
    }

    /** {@return the number of statements, or elements, that were neither acknowledged nor refused} */
    public int undecided() {
        return undecided;
    }

    @Override
    public PartlyDoneException copy() {
        return new PartlyDoneException(String.valueOf(getMessage()), getCause(), done, undecided);
    }
}
