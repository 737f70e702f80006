package io.surewrite.backlog;

/** What was kept is not on the disk as it was written. Nothing of it was replayed. */
public class BacklogDamagedException extends BacklogException {

    /**
     * Creates the exception.
     *
     * @param message what is missing or damaged, and how to go on
     */
    public BacklogDamagedException(String message) {
        super(message, null);
    }

    @Override
    public BacklogDamagedException copy() {
        return new BacklogDamagedException(String.valueOf(getMessage()));
    }
}
