package io.surewrite.cql.analysis;

import io.surewrite.cql.analysis.CqlToken.Kind;
import java.util.Set;

/** Reads USING, where it stands. */
final class UsingReader {

    private final TokenCursor tokens;
    private final Findings findings;
    private final Set<Allowance> allowed;

    UsingReader(TokenCursor tokens, Findings findings, Set<Allowance> allowed) {
        this.tokens = tokens;
        this.findings = findings;
        this.allowed = allowed;
    }

    /** Reads the settings of a statement that knows no time to live. */
    void readTimestamp() {
        if (tokens.take("using")) {
            tokens.expect("timestamp");
            readNumber();
            findings.noteOwnTimestamp(tokens.lastMarker());
        }
    }

    /**
     * Reads the settings of a statement that writes cells.
     *
     * @param table where the cells go
     * @param tableName where the table is named
     */
    void readTimestampAndTtl(TargetTable table, CqlToken tableName) {
        boolean stated = false;
        if (tokens.take("using")) {
            do {
                stated |= readSetting();
            } while (tokens.take("and"));
        }
        if (!stated && !table.keepsRowsForever()) {
            findings.noteDefaultTtl();
            refuseTtl(tableName, tableName);
        }
    }

    /** Reads one setting and tells whether it was the time to live. */
    private boolean readSetting() {
        CqlToken setting = tokens.peek();
        if (tokens.take("timestamp")) {
            readNumber();
            findings.noteOwnTimestamp(tokens.lastMarker());
            return false;
        }
        tokens.expect("ttl");
        boolean forever = tokens.nextIs(Kind.NUMBER) && tokens.peek().text().matches("0+");
        readNumber();
        if (!forever) {
            findings.noteTtl(tokens.lastMarker());
            refuseTtl(setting, tokens.last());
        }
        return true;
    }

    private void refuseTtl(CqlToken first, CqlToken last) {
        if (!allowed.contains(Allowance.EXTENDING_TTL)) {
            findings.refuse(RefusalReason.RELATIVE_TTL, first, last);
        }
    }

    private void readNumber() {
        CqlToken value = tokens.next();
        if (value.kind() == Kind.EXPRESSION) {
            findings.refuse(RefusalReason.EXPRESSION, value);
        } else if (value.is("-")) {
            value = tokens.next();
        }
        boolean number = value.kind() == Kind.NUMBER || value.kind() == Kind.MARKER || value.kind() == Kind.EXPRESSION;
        if (!number) {
            throw new RefusedException(RefusalReason.NOT_UNDERSTOOD, value);
        }
    }
}
