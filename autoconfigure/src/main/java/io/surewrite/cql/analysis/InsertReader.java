package io.surewrite.cql.analysis;

import io.surewrite.cql.analysis.CqlToken.Kind;
import java.util.ArrayList;
import java.util.List;

/** Reads what follows {@code INSERT INTO table}. */
final class InsertReader {

    private final TokenCursor tokens;
    private final Findings findings;
    private final WriteReader write;

    InsertReader(TokenCursor tokens, Findings findings, WriteReader write) {
        this.tokens = tokens;
        this.findings = findings;
        this.write = write;
    }

    void read() {
        if (tokens.take("json")) {
            readJson();
        } else {
            readColumnsAndValues();
        }
        write.refuseCondition();
        write.readUsingTimestampAndTtl();
    }

    private void readColumnsAndValues() {
        List<CqlToken> columns = new ArrayList<>();
        tokens.expect("(");
        do {
            columns.add(tokens.name());
        } while (tokens.take(","));
        tokens.expect(")", "values", "(");
        for (CqlToken column : columns) {
            if (!column.equals(columns.get(0))) {
                tokens.expect(",");
            }
            ColumnShape shape = write.shapeOf(column);
            write.checkOverwrite(column, shape, write.readEmptyValue());
        }
        tokens.expect(")");
    }

    private void readJson() {
        CqlToken json = tokens.next();
        if (json.kind() == Kind.EXPRESSION) {
            findings.refuse(RefusalReason.EXPRESSION, json);
        } else if (json.kind() != Kind.STRING && json.kind() != Kind.MARKER) {
            throw new RefusedException(RefusalReason.NOT_UNDERSTOOD, json);
        } else if (write.table().has(ColumnShape.LIST) || write.table().hasTimestamps()) {
            findings.refuse(RefusalReason.JSON_VALUE, json);
        }
        if (tokens.take("default") && !tokens.take("null")) {
            tokens.expect("unset");
        }
    }
}
