package io.surewrite.cql.analysis;

/** Ends the reading of a statement at a token after which there is nothing more to learn. */
final class RefusedException extends RuntimeException {

    final RefusalReason reason;
    final transient CqlToken token;

    RefusedException(RefusalReason reason, CqlToken token) {
        super(reason.text(), null, false, false);
        this.reason = reason;
        this.token = token;
    }
}
