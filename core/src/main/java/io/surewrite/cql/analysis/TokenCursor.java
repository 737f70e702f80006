package io.surewrite.cql.analysis;

import io.surewrite.cql.analysis.CqlToken.Kind;
import java.util.List;

/** Walks over the tokens of a statement. */
final class TokenCursor {

    private final List<CqlToken> tokens;
    private int at;

    TokenCursor(List<CqlToken> tokens) {
        this.tokens = tokens;
    }

    CqlToken peek() {
        return peek(0);
    }

    /** The token so many places ahead; the last one stands for all that follow it. */
    CqlToken peek(int ahead) {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    CqlToken next() {
        CqlToken token = peek();
        at++;
        return token;
    }

    /** The token taken last. */
    CqlToken last() {
        return tokens.get(Math.min(at, tokens.size()) - 1);
    }

    /** Which bind marker the token taken last is, counted from 0; -1 if it is none. */
    int lastMarker() {
        return last().kind() != Kind.MARKER
                ? -1
                : (int) tokens.subList(0, at - 1).stream()
                        .filter(token -> token.kind() == Kind.MARKER)
                        .count();
    }

    int position() {
        return at;
    }

    void moveTo(int position) {
        at = position;
    }

    boolean nextIs(String expected) {
        return peek().is(expected);
    }

    boolean nextIs(Kind kind) {
        return peek().kind() == kind;
    }

    /** Takes the keyword or symbol if it is next. */
    boolean take(String expected) {
        boolean found = nextIs(expected);
        if (found) {
            at++;
        }
        return found;
    }

    void expect(String... expected) {
        for (String word : expected) {
            if (!take(word)) {
                throw notUnderstood();
            }
        }
    }

    CqlToken name() {
        if (!peek().isName()) {
            throw notUnderstood();
        }
        return next();
    }

    /** The end of a reading that came upon a token it has no place for. */
    RefusedException notUnderstood() {
        return new RefusedException(RefusalReason.NOT_UNDERSTOOD, peek());
    }
}
