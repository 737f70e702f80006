package io.surewrite.backlog;

import java.util.List;

/** A statement that must not wait: done later, it could do something else than it would have done now. */
public class BacklogRefusedException extends BacklogException {

    /**
     * Creates the exception.
     *
     * @param operation what was to be kept
     * @param reasons why not, without values
     */
    public BacklogRefusedException(String operation, List<String> reasons) {
        super("%s cannot be kept in the backlog: %s".formatted(operation, String.join("; ", reasons)), null);
    }

    private BacklogRefusedException(BacklogRefusedException original) {
        super(String.valueOf(original.getMessage()), null);
    }

    @Override
    public BacklogRefusedException copy() {
        return new BacklogRefusedException(this);
    }
}
