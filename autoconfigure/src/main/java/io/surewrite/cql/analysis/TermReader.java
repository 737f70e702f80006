package io.surewrite.cql.analysis;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.analysis.CqlToken.Kind;
import java.util.Set;

/** Reads values, and refuses those that the next attempt would compute anew. */
final class TermReader {

    private static final int DEEPEST_NESTING = 64;
    private static final Set<String> OPERATORS = Set.of("+", "-", "*", "/", "%");
    private static final CqlIdentifier SYSTEM = CqlIdentifier.fromInternal("system");

    private final TokenCursor tokens;
    private final Findings findings;
    private final TableLookup schema;
    private final CqlIdentifier keyspace;
    private int depth;

    TermReader(TokenCursor tokens, Findings findings, TableLookup schema, CqlIdentifier keyspace) {
        this.tokens = tokens;
        this.findings = findings;
        this.schema = schema;
        this.keyspace = keyspace;
    }

    /** Reads one value. A column's name after an operator is left to the caller. */
    void readTerm() {
        if (++depth > DEEPEST_NESTING) {
            throw tokens.notUnderstood();
        }
        readOperand();
        while (OPERATORS.contains(tokens.peek().text()) && tokens.nextIs(Kind.SYMBOL) && !isColumn(1)) {
            tokens.next();
            readOperand();
        }
        depth--;
    }

    /** Reads values up to the closing symbol, at least as many as said. */
    void readTerms(int least, String close) {
        if (least > 0 || !tokens.nextIs(close)) {
            do {
                readTerm();
            } while (tokens.take(","));
        }
        tokens.expect(close);
    }

    /** Whether a plain name that is neither a constant nor a function's stands so many places ahead. */
    boolean isColumn(int ahead) {
        return tokens.peek(ahead).isName()
                && !isConstant(tokens.peek(ahead))
                && !tokens.peek(ahead + 1).is("(")
                && !tokens.peek(ahead + 1).is(".");
    }

    private void readOperand() {
        tokens.take("-");
        switch (tokens.peek().kind()) {
            case MARKER, NUMBER, LITERAL -> tokens.next();
            case STRING -> readString();
            case EXPRESSION -> findings.refuse(RefusalReason.EXPRESSION, tokens.next());
            case WORD, QUOTED_NAME -> readConstantOrFunction();
            case SYMBOL -> readBracketed();
            case END -> throw tokens.notUnderstood();
        }
    }

    private void readString() {
        CqlToken string = tokens.next();
        if (string.text().strip().equalsIgnoreCase("now")) {
            findings.refuse(RefusalReason.NOW_LITERAL, string);
        }
    }

    private void readConstantOrFunction() {
        if (isConstant(tokens.peek())) {
            tokens.next();
        } else if (tokens.nextIs("cast") && tokens.peek(1).is("(")) {
            readCast();
        } else {
            readFunction();
        }
    }

    private static boolean isConstant(CqlToken token) {
        return token.is("true") || token.is("false") || token.is("null") || token.is("nan") || token.is("infinity");
    }

    private void readCast() {
        tokens.expect("cast", "(");
        readTerm();
        tokens.expect("as");
        tokens.name();
        tokens.expect(")");
    }

    private void readFunction() {
        CqlToken first = tokens.name();
        CqlToken name = tokens.take(".") ? tokens.name() : first;
        tokens.expect("(");
        checkFunction(first, name);
        readTerms(0, ")");
    }

    private void checkFunction(CqlToken first, CqlToken name) {
        CqlIdentifier function = name.asIdentifier();
        boolean qualified = !first.equals(name);
        boolean system = qualified && first.asIdentifier().equals(SYSTEM);
        boolean ours = !system && (qualified || schema.hasUserFunction(keyspace, function));
        if (!ours && NativeFunctions.isMadeByTheServer(function)) {
            findings.refuse(RefusalReason.SERVER_VALUE, first, name);
        } else if (ours || !NativeFunctions.isDeterministic(function)) {
            findings.refuse(RefusalReason.UNKNOWN_FUNCTION, first, name);
        }
    }

    private void readBracketed() {
        if (tokens.take("[")) {
            readTerms(0, "]");
        } else if (tokens.take("{")) {
            readBraced();
        } else if (isTypeHint()) {
            tokens.expect("(");
            readType();
            tokens.expect(")");
            readNested();
        } else {
            tokens.expect("(");
            readTerms(1, ")");
        }
    }

    /** A set, a map or a user-defined type. */
    private void readBraced() {
        if (tokens.take("}")) {
            return;
        }
        do {
            if (tokens.peek().isName() && tokens.peek(1).is(":")) {
                tokens.next();
            } else {
                readTerm();
            }
            if (tokens.take(":")) {
                readTerm();
            }
        } while (tokens.take(","));
        tokens.expect("}");
    }

    private boolean isTypeHint() {
        CqlToken type = tokens.peek(1);
        return tokens.nextIs("(")
                && type.isName()
                && !isConstant(type)
                && (tokens.peek(2).is(")") || tokens.peek(2).is("<"));
    }

    private void readType() {
        if (++depth > DEEPEST_NESTING) {
            throw tokens.notUnderstood();
        }
        if (!tokens.nextIs(Kind.NUMBER)) {
            tokens.name();
        } else {
            tokens.next();
        }
        if (tokens.take("<")) {
            do {
                readType();
            } while (tokens.take(","));
            tokens.expect(">");
        }
        depth--;
    }

    private void readNested() {
        if (++depth > DEEPEST_NESTING) {
            throw tokens.notUnderstood();
        }
        readOperand();
        depth--;
    }
}
