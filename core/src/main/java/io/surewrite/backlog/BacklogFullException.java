package io.surewrite.backlog;

/** There is no room for another entry. */
public class BacklogFullException extends BacklogException {

    /**
     * Creates the exception.
     *
     * @param size what is there
     * @param most how many entries, dead letters included, there may be
     * @param mostBytes how many bytes these may have
     */
    public BacklogFullException(BacklogSize size, long most, long mostBytes) {
        super(
                ("The backlog is full: %d entries and %d dead letters of %d bytes together, of at most %d and %d bytes."
                                + " Wait until it drains, discard dead letters, or raise surewrite.backlog.max-entries and"
                                + " .max-size")
                        .formatted(size.entries(), size.deadLetters(), size.bytes(), most, mostBytes),
                null);
    }

    private BacklogFullException(BacklogFullException original) {
        super(String.valueOf(original.getMessage()), null);
    }

    @Override
    public BacklogFullException copy() {
        return new BacklogFullException(this);
    }
}
