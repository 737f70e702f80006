package io.surewrite.unique;

/** A unique constraint that cannot be guarded; thrown when the application starts. */
public class InvalidConstraintException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * Creates the exception.
     *
     * @param problem where and what
     * @param action what to do instead
     */
    public InvalidConstraintException(String problem, String action) {
        super(problem + " " + action);
        this.action = action;
    }

    /**
     * {@return what to do instead}
     */
    public String action() {
        return action;
    }
}
