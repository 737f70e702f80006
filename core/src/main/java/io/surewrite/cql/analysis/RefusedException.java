package io.surewrite.cql.analysis;

/** Ends the reading of a statement at a token after which there is nothing more to learn. */
final class RefusedException extends RuntimeException {

    private final RefusalReason reason;
    private final transient CqlToken token;

    RefusedException(RefusalReason reason, CqlToken token) {
        super(reason.text(), null, false, false);
        this.reason = reason;
        this.token = token;
    }

    RefusalReason reason() {
        return reason;
    }

    CqlToken token() {
        return token;
    }
}
