package io.surewrite.cql.analysis;

import io.surewrite.cql.analysis.CqlToken.Kind;
import java.util.Set;

/** Reads what follows {@code DELETE}. */
final class DeleteReader {

    private final TokenCursor tokens;
    private final Findings findings;
    private final TableLookup schema;
    private final Set<Allowance> allowed;

    DeleteReader(TokenCursor tokens, Findings findings, TableLookup schema, Set<Allowance> allowed) {
        this.tokens = tokens;
        this.findings = findings;
        this.schema = schema;
        this.allowed = allowed;
    }

    /** The columns stand before the table that knows them: they are read when the table is known. */
    void read() {
        int columns = tokens.position();
        while (!tokens.nextIs("from") && !tokens.nextIs(Kind.END)) {
            tokens.next();
        }
        tokens.expect("from");
        WriteReader write = new WriteReader(tokens, findings, schema, allowed);
        int rest = tokens.position();
        tokens.moveTo(columns);
        readColumns(write);
        tokens.moveTo(rest);
        write.readUsingTimestamp();
        write.readWhere();
        write.refuseCondition();
    }

    private void readColumns(WriteReader write) {
        if (!tokens.nextIs("from")) {
            do {
                readColumn(write);
            } while (tokens.take(","));
        }
        tokens.expect("from");
    }

    private void readColumn(WriteReader write) {
        CqlToken column = tokens.name();
        ColumnShape shape = write.shapeOf(column);
        if (tokens.take("[")) {
            write.readElementKey(column, shape);
        } else if (tokens.take(".")) {
            tokens.name();
        }
    }
}
