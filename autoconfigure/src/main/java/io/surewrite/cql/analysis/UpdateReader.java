package io.surewrite.cql.analysis;

/** Reads what follows {@code UPDATE table}. */
final class UpdateReader {

    private final TokenCursor tokens;
    private final Findings findings;
    private final WriteReader write;

    UpdateReader(TokenCursor tokens, Findings findings, WriteReader write) {
        this.tokens = tokens;
        this.findings = findings;
        this.write = write;
    }

    void read() {
        write.readUsingTimestampAndTtl();
        tokens.expect("set");
        do {
            readAssignment();
        } while (tokens.take(","));
        write.readWhere();
        write.refuseCondition();
    }

    private void readAssignment() {
        CqlToken column = tokens.name();
        ColumnShape shape = write.shapeOf(column);
        if (tokens.take("+=") || tokens.take("-=")) {
            readChange(column, shape);
        } else if (tokens.take("[")) {
            write.readElementKey(column, shape);
            tokens.expect("=");
            write.terms().readTerm();
        } else if (tokens.take(".")) {
            tokens.name();
            tokens.expect("=");
            write.terms().readTerm();
        } else {
            tokens.expect("=");
            readValue(column, shape);
        }
    }

    private void readValue(CqlToken column, ColumnShape shape) {
        if (isSame(column)) {
            tokens.next();
            if (!tokens.take("+")) {
                tokens.expect("-");
            }
            readChange(column, shape);
            return;
        }
        boolean empty = write.readEmptyValue();
        if (tokens.take("+")) {
            readFrontOf(column, shape);
        } else {
            write.checkOverwrite(column, shape, empty);
        }
    }

    /** Reads the end of {@code column = value + column}, which only lists know. */
    private void readFrontOf(CqlToken column, ColumnShape shape) {
        if (shape != ColumnShape.LIST || !isSame(column)) {
            throw tokens.notUnderstood();
        }
        findings.refuse(RefusalReason.LIST_CHANGE, column, tokens.next());
    }

    private boolean isSame(CqlToken column) {
        return write.terms().isColumn(0) && tokens.peek().asIdentifier().equals(column.asIdentifier());
    }

    /** Reads what is added to, or taken from, what the column holds. */
    private void readChange(CqlToken column, ColumnShape shape) {
        write.terms().readTerm();
        switch (shape) {
            case SET, MAP -> {}
            case LIST -> findings.refuse(RefusalReason.LIST_CHANGE, column, tokens.last());
            case COUNTER -> findings.refuse(RefusalReason.COUNTER, column, tokens.last());
            case PLAIN -> findings.refuse(RefusalReason.NOT_UNDERSTOOD, column, tokens.last());
        }
    }
}
