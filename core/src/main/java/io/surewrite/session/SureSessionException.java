package io.surewrite.session;

import java.util.List;

/** A template has no session that Surewrite could work on, or more than one; or what it has cannot be sure. Says what to do instead. */
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

    /**
     * A feature that says timestamps in its statements, where an operator has forbidden that.
     *
     * @param feature the feature
     * @param session the name of the session
     * @param problems what is in the way, and the fix, a sentence each
     * @return the exception
     */
    public static SureSessionException guardrails(String feature, String session, List<String> problems) {
        return new SureSessionException(
                "%s cannot work on the server of the session '%s': %s."
                        .formatted(feature, session, String.join("; ", problems)),
                "Change the guardrails, or do without the feature.");
    }

    /**
     * A feature whose writes a retry policy of the driver would report as done while too few replicas have them.
     *
     * @param feature the feature
     * @param session the name of the session
     * @param problem what the policy does, and the fix
     * @return the exception
     */
    public static SureSessionException policy(String feature, String session, String problem) {
        return new SureSessionException(
                "%s cannot be sure on the session '%s'. %s.".formatted(feature, session, problem),
                "Change the policy, or do without the feature.");
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
