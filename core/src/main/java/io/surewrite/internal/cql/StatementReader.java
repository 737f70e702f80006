package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.internal.cql.CqlToken.Kind;
import io.surewrite.internal.cql.RowText.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one statement that writes rows, and tells its parts in their order, but the table of a DELETE before its columns. What
 * stands for a value is not looked into. The methods stand in the order of the grammar.
 */
abstract class StatementReader {

    /** Before them a value ends that is in no brackets; the words are reserved. */
    private static final Set<String> ENDS = Set.of(
            ",", ")", "]", "}", ";", "and", "if", "set", "where", "using", "from", "insert", "update", "delete",
            "apply");

    static final Set<String> OPENING = Set.of("(", "[", "{");
    static final Set<String> CLOSING = Set.of(")", "]", "}");

    final List<CqlToken> tokens;
    int at;

    /** The tokens from one place up to another. */
    record Span(int from, int to) {}

    StatementReader(List<CqlToken> tokens) {
        this.tokens = tokens;
    }

    // ---- what is told ----

    abstract void table(Action action, @Nullable CqlIdentifier keyspace, CqlToken table);

    abstract void assigned(CqlToken column, Span value);

    /** A column that is changed otherwise: by what is added, taken or the key of an element; null for a field, or all of it. */
    abstract void changed(CqlToken column, @Nullable Span by);

    /** What is assigned to an element or a field. */
    void value(Span value) {}

    abstract void setting(CqlToken setting, Span value);

    abstract void relation(Span all);

    void conditions(CqlToken first) {}

    /** As a relation; or EXISTS, or NOT EXISTS. */
    abstract void condition(Span all);

    void end() {}

    // ---- the grammar ----

    final boolean readWrite() {
        if (take("insert")) {
            expect("into");
            readTable(Action.INSERT);
            readInsert();
        } else if (take("update")) {
            readTable(Action.UPDATE);
            readUsing();
            expect("set");
            readList(this::readAssignment);
            readWhere();
        } else if (take("delete")) {
            readDelete();
        } else {
            return false;
        }
        end();
        return true;
    }

    final void readTable(Action action) {
        CqlToken first = name();
        if (take(".")) {
            table(action, first.asIdentifier(), name());
        } else {
            table(action, null, first);
        }
    }

    private void readInsert() {
        if (nextIs("json")) {
            throw new RefusedException(RefusalReason.JSON_VALUE, peek());
        }
        List<CqlToken> columns = new ArrayList<>();
        expect("(");
        readList(() -> columns.add(name()));
        expect(")", "values");
        for (CqlToken column : columns) {
            expect(column.equals(columns.get(0)) ? "(" : ",");
            assigned(column, readValue());
        }
        expect(")");
        readConditions();
        readUsing();
    }

    private void readAssignment() {
        CqlToken column = name();
        if (take("=")) {
            assigned(column, readValue());
        } else if (take("+=") || take("-=")) {
            changed(column, readValue());
        } else {
            readPart(column);
            expect("=");
            value(readValue());
        }
    }

    private void readPart(CqlToken column) {
        if (take("[")) {
            Span key = readValue();
            expect("]");
            changed(column, key);
        } else {
            expect(".");
            name();
            changed(column, null);
        }
    }

    /** The columns stand before the table that knows them. */
    private void readDelete() {
        int columns = at;
        while (!nextIs("from") && !nextIs(Kind.END)) {
            next();
        }
        expect("from");
        readTable(Action.DELETE);
        int rest = at;
        at = columns;
        if (!nextIs("from")) {
            readList(this::readDeleted);
        }
        expect("from");
        at = rest;
        readUsing();
        readWhere();
    }

    private void readDeleted() {
        CqlToken column = name();
        if (nextIs("[") || nextIs(".")) {
            readPart(column);
        } else {
            changed(column, null);
        }
    }

    private void readWhere() {
        expect("where");
        do {
            relation(readValue());
        } while (take("and"));
        readConditions();
    }

    private void readConditions() {
        CqlToken first = peek();
        if (take("if")) {
            conditions(first);
            do {
                condition(readValue());
            } while (take("and"));
        }
    }

    final void readUsing() {
        if (take("using")) {
            do {
                setting(next(), readValue());
            } while (take("and"));
        }
    }

    /** Reads one or more of the same, with commas between them. */
    final void readList(Runnable one) {
        do {
            one.run();
        } while (take(","));
    }

    final void readEnd() {
        while (take(";")) {}
        if (!nextIs(Kind.END)) {
            throw notUnderstood();
        }
    }

    /** A value, or all of a relation: up to where it ends. */
    final Span readValue() {
        int from = at;
        while (!nextIs(Kind.END) && !isOneOf(peek(), ENDS)) {
            pass();
        }
        if (at == from) {
            throw notUnderstood();
        }
        return new Span(from, at);
    }

    // ---- tokens ----

    /** Skips a token; with one that opens brackets, all that is in them. */
    final void pass() {
        int depth = 0;
        do {
            if (nextIs(Kind.END)) {
                throw notUnderstood();
            }
            CqlToken token = next();
            depth += isOneOf(token, OPENING) ? 1 : 0;
            depth -= isOneOf(token, CLOSING) ? 1 : 0;
        } while (depth > 0);
    }

    static boolean isOneOf(CqlToken token, Set<String> words) {
        return (token.kind() == Kind.WORD || token.kind() == Kind.SYMBOL)
                && words.contains(token.text().toLowerCase(Locale.ROOT));
    }

    /** The last one stands for all that follow it. */
    final CqlToken peek() {
        return tokens.get(Math.min(at, tokens.size() - 1));
    }

    final CqlToken next() {
        CqlToken token = peek();
        at++;
        return token;
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

    private boolean nextIs(Kind kind) {
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
