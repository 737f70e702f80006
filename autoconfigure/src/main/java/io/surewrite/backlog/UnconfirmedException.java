package io.surewrite.backlog;

/** What was written may be lost with the machine, or be replayed: the disk did not say. */
final class UnconfirmedException extends BacklogException {

    private static final long serialVersionUID = 1L;

    UnconfirmedException(String message, Throwable cause) {
        super(message, cause);
    }
}
