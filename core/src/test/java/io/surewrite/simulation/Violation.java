package io.surewrite.simulation;

/** An obligation does not hold. */
public final class Violation extends AssertionError {

    private static final long serialVersionUID = 1L;

    public Violation(String message) {
        super(message);
    }
}
