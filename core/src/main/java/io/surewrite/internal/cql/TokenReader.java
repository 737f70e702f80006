package io.surewrite.internal.cql;

import io.surewrite.internal.cql.CqlToken.Kind;
import java.util.List;

/** Reads tokens by recursive descent. */
abstract class TokenReader {

    final List<CqlToken> tokens;
    int at;

    TokenReader(List<CqlToken> tokens) {
        this.tokens = tokens;
    }

    /** Reads one or more of the same, with commas between them. */
    final void readList(Runnable one) {
        do {
            one.run();
        } while (take(","));
    }

    final CqlToken peek() {
        return peek(0);
    }

    /** The token so many places ahead; the last one stands for all that follow it. */
    final CqlToken peek(int ahead) {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    final CqlToken next() {
        CqlToken token = peek();
        at++;
        return token;
    }

    final CqlToken last() {
        return tokens.get(Math.min(at, tokens.size()) - 1);
    }

    /** Which bind marker a token is, counted from 0; -1 if it is none. */
    final int markerAt(int token) {
        return tokens.get(token).kind() != Kind.MARKER
                ? -1
                : (int) tokens.subList(0, token).stream()
                        .filter(before -> before.kind() == Kind.MARKER)
                        .count();
    }

    final boolean nextIs(String expected) {
        return peek().is(expected);
    }

    final boolean nextIs(Kind kind) {
        return peek().kind() == kind;
    }

    /** Takes the keyword or symbol if it is next. */
    final boolean take(String expected) {
        boolean found = nextIs(expected);
        at += found ? 1 : 0;
        return found;
    }

    final void expect(String... expected) {
        for (String word : expected) {
            if (!take(word)) {
                throw notUnderstood();
            }
        }
    }

    final CqlToken name() {
        if (!peek().isName()) {
            throw notUnderstood();
        }
        return next();
    }

    /** Goes on to one of some tokens outside of brackets, or to the end. */
    final void skip(String... ends) {
        int depth = 0;
        while (!nextIs(Kind.END)) {
            for (String end : ends) {
                if (depth == 0 && nextIs(end)) {
                    return;
                }
            }
            CqlToken token = next();
            depth += token.is("(") || token.is("[") || token.is("{") ? 1 : 0;
            depth -= token.is(")") || token.is("]") || token.is("}") ? 1 : 0;
        }
    }

    final void readEnd() {
        while (nextIs(";")) {
            next();
        }
        if (!nextIs(Kind.END)) {
            throw notUnderstood();
        }
    }

    final RefusedException notUnderstood() {
        return new RefusedException(RefusalReason.NOT_UNDERSTOOD, peek());
    }

    /** Ends the reading of a statement at a token after which there is nothing more to learn. */
    static final class RefusedException extends RuntimeException {

        final RefusalReason reason;
        final transient CqlToken token;

        RefusedException(RefusalReason reason, CqlToken token) {
            super(reason.text(), null, false, false);
            this.reason = reason;
            this.token = token;
        }
    }
}
