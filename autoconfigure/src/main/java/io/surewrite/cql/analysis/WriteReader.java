package io.surewrite.cql.analysis;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.analysis.CqlToken.Kind;
import java.util.Set;

/** What INSERT, UPDATE and DELETE share: the table, its columns, USING, WHERE and IF. */
final class WriteReader {

    private static final Set<String> COMPARISONS = Set.of("=", "<", "<=", ">", ">=");

    private final TokenCursor tokens;
    private final Findings findings;
    private final CqlToken tableName;
    private final TargetTable table;
    private final UsingReader using;
    private final TermReader terms;

    /** Reads the name of the table, which comes next. */
    WriteReader(TokenCursor tokens, Findings findings, TableLookup schema, Set<Allowance> allowed) {
        this.tokens = tokens;
        this.findings = findings;
        this.tableName = tokens.peek();
        this.table = readTable(schema);
        this.using = new UsingReader(tokens, findings, allowed);
        this.terms = new TermReader(tokens, findings, schema, table.keyspace());
    }

    private TargetTable readTable(TableLookup schema) {
        CqlToken first = tokens.name();
        boolean qualified = tokens.take(".");
        CqlToken name = qualified ? tokens.name() : first;
        CqlIdentifier keyspace = qualified ? first.asIdentifier() : null;
        TargetTable found = schema.findTable(keyspace, name.asIdentifier())
                .map(TargetTable::new)
                .orElseThrow(() -> new RefusedException(RefusalReason.UNKNOWN_TABLE, name));
        found.reasonAgainst().ifPresent(reason -> {
            throw new RefusedException(reason, name);
        });
        findings.noteTable(found);
        return found;
    }

    TargetTable table() {
        return table;
    }

    TermReader terms() {
        return terms;
    }

    ColumnShape shapeOf(CqlToken column) {
        return table.shapeOf(column.asIdentifier())
                .orElseThrow(() -> new RefusedException(RefusalReason.UNKNOWN_COLUMN, column));
    }

    /** Reads a value and tells whether it surely leaves nothing in a collection. */
    boolean readEmptyValue() {
        int start = tokens.position();
        boolean isNull = tokens.nextIs("null");
        boolean isList = tokens.nextIs("[");
        terms.readTerm();
        int length = tokens.position() - start;
        return (isNull && length == 1) || (isList && length == 2);
    }

    /** Judges a whole column that is overwritten. */
    void checkOverwrite(CqlToken column, ColumnShape shape, boolean empty) {
        if (shape == ColumnShape.LIST && !empty) {
            findings.refuse(RefusalReason.LIST_OVERWRITE, column);
        }
    }

    /** Reads the key of one element of the column, up to its closing bracket. */
    void readElementKey(CqlToken column, ColumnShape shape) {
        terms.readTerm();
        tokens.expect("]");
        switch (shape) {
            case SET, MAP -> {}
            case LIST -> findings.refuse(RefusalReason.LIST_CHANGE, column, tokens.last());
            case COUNTER, PLAIN -> findings.refuse(RefusalReason.NOT_UNDERSTOOD, column, tokens.last());
        }
    }

    void readUsingTimestamp() {
        using.readTimestamp();
    }

    void readUsingTimestampAndTtl() {
        using.readTimestampAndTtl(table, tableName);
    }

    void readWhere() {
        tokens.expect("where");
        do {
            readRelation();
        } while (tokens.take("and"));
    }

    private void readRelation() {
        if (tokens.take("(")) {
            do {
                readKnownColumn();
            } while (tokens.take(","));
            tokens.expect(")");
        } else {
            readKnownColumn();
        }
        if (tokens.nextIs(Kind.SYMBOL) && COMPARISONS.contains(tokens.peek().text())) {
            tokens.next();
            terms.readTerm();
        } else {
            tokens.expect("in");
            readInValues();
        }
    }

    private void readKnownColumn() {
        boolean function = tokens.peek(1).is("(");
        if (function) {
            throw tokens.notUnderstood();
        }
        shapeOf(tokens.name());
    }

    private void readInValues() {
        if (tokens.take("(")) {
            terms.readTerms(0, ")");
        } else {
            terms.readTerm();
        }
    }

    /** Refuses a condition, whatever it says. */
    void refuseCondition() {
        if (tokens.nextIs("if")) {
            throw new RefusedException(RefusalReason.CONDITION, tokens.peek());
        }
    }
}
