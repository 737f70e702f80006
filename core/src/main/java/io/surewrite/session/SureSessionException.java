package io.surewrite.session;

/** A template has no session that Surewrite could work on, or more than one; says what to do instead. */
public final class SureSessionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String action;

    /**
     * Creates it.
     *
     * @param problem what is wrong, a sentence
     * @param action what to do about it, a sentence
     */
    public SureSessionException(String problem, String action) {
        super(problem + " " + action);
        this.problem = problem;
        this.action = action;
    }

    /** {@return what is wrong} */
    public String problem() {
        return problem;
    }

    /** {@return what to do about it} */
    public String action() {
        return action;
    }
}
