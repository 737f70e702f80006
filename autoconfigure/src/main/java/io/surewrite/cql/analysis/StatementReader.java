package io.surewrite.cql.analysis;

import io.surewrite.cql.analysis.CqlToken.Kind;
import java.util.Locale;
import java.util.Set;

/** Reads one CQL statement and reports all that a retry would change. */
final class StatementReader {

    private static final Set<String> OTHERS =
            Set.of("truncate", "create", "alter", "drop", "use", "grant", "revoke", "list", "describe", "desc", "add");

    private final TokenCursor tokens;
    private final Findings findings;
    private final TableLookup schema;
    private final Set<Allowance> allowed;

    StatementReader(TokenCursor tokens, Findings findings, TableLookup schema, Set<Allowance> allowed) {
        this.tokens = tokens;
        this.findings = findings;
        this.schema = schema;
        this.allowed = allowed;
    }

    void read() {
        if (tokens.nextIs("select")) {
            return;
        }
        if (tokens.take("begin")) {
            readBatch();
        } else if (!readWrite()) {
            throw notAWrite(tokens.peek());
        }
        while (tokens.nextIs(";")) {
            tokens.next();
        }
        if (!tokens.nextIs(Kind.END)) {
            throw tokens.notUnderstood();
        }
    }

    private static RefusedException notAWrite(CqlToken first) {
        boolean known =
                first.kind() == Kind.WORD && OTHERS.contains(first.text().toLowerCase(Locale.ROOT));
        return new RefusedException(known ? RefusalReason.NOT_A_ROW_WRITE : RefusalReason.NOT_UNDERSTOOD, first);
    }

    private void readBatch() {
        if (tokens.nextIs("counter")) {
            throw new RefusedException(RefusalReason.COUNTER, tokens.peek());
        }
        if (tokens.nextIs("transaction")) {
            throw new RefusedException(RefusalReason.CONDITION, tokens.peek());
        }
        tokens.take("unlogged");
        tokens.expect("batch");
        new UsingReader(tokens, findings, allowed).readTimestamp();
        while (readWrite()) {
            tokens.take(";");
        }
        tokens.expect("apply", "batch");
    }

    /** Reads one INSERT, UPDATE or DELETE, if it is next. */
    private boolean readWrite() {
        if (tokens.take("insert")) {
            tokens.expect("into");
            new InsertReader(tokens, findings, newWrite()).read();
        } else if (tokens.take("update")) {
            new UpdateReader(tokens, findings, newWrite()).read();
        } else if (tokens.take("delete")) {
            new DeleteReader(tokens, findings, schema, allowed).read();
        } else {
            return false;
        }
        return true;
    }

    private WriteReader newWrite() {
        return new WriteReader(tokens, findings, schema, allowed);
    }
}
