package io.surewrite.cql.analysis;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.analysis.CqlToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one CQL statement by recursive descent, and reports all that a retry would change. The methods stand in the order
 * of the grammar: statement, batch, write; what INSERT, UPDATE and DELETE share; values.
 */
final class StatementReader {

    private static final Set<String> OTHERS =
            Set.of("truncate", "create", "alter", "drop", "use", "grant", "revoke", "list", "describe", "desc", "add");
    private static final Set<String> COMPARISONS = Set.of("=", "<", "<=", ">", ">=");
    private static final Set<String> OPERATORS = Set.of("+", "-", "*", "/", "%");
    private static final CqlIdentifier SYSTEM = CqlIdentifier.fromInternal("system");
    private static final int DEEPEST_NESTING = 64;

    private final TokenCursor tokens;
    private final Findings findings;
    private final TableLookup schema;
    private final Set<Allowance> allowed;
    private int depth;

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
        readUsingTimestamp();
        while (readWrite()) {
            tokens.take(";");
        }
        tokens.expect("apply", "batch");
    }

    /** Reads one INSERT, UPDATE or DELETE, if it is next. */
    private boolean readWrite() {
        if (tokens.take("insert")) {
            tokens.expect("into");
            readInsert(readTable());
        } else if (tokens.take("update")) {
            readUpdate(readTable());
        } else if (tokens.take("delete")) {
            readDelete();
        } else {
            return false;
        }
        return true;
    }

    /**
     * The table of one write.
     *
     * @param name where it is named
     * @param schema what is known of it
     */
    private record Target(CqlToken name, TargetTable schema) {

        ColumnShape shapeOf(CqlToken column) {
            return schema.shapeOf(column.asIdentifier())
                    .orElseThrow(() -> new RefusedException(RefusalReason.UNKNOWN_COLUMN, column));
        }
    }

    /** Reads the name of the table, which comes next. */
    private Target readTable() {
        CqlToken first = tokens.name();
        boolean qualified = tokens.take(".");
        CqlToken name = qualified ? tokens.name() : first;
        @Nullable CqlIdentifier keyspace = qualified ? first.asIdentifier() : null;
        TargetTable found = schema.findTable(keyspace, name.asIdentifier())
                .map(TargetTable::new)
                .orElseThrow(() -> new RefusedException(RefusalReason.UNKNOWN_TABLE, name));
        Optional<RefusalReason> against = found.reasonAgainst();
        if (against.isPresent()) {
            throw new RefusedException(against.get(), name);
        }
        findings.noteTable(found);
        return new Target(first, found);
    }

    // ---- INSERT INTO table ----

    private void readInsert(Target table) {
        if (tokens.take("json")) {
            readJson(table);
        } else {
            readColumnsAndValues(table);
        }
        refuseCondition();
        readUsingTimestampAndTtl(table);
    }

    private void readColumnsAndValues(Target table) {
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
            ColumnShape shape = table.shapeOf(column);
            checkOverwrite(column, shape, readEmptyValue(table));
        }
        tokens.expect(")");
    }

    private void readJson(Target table) {
        CqlToken json = tokens.next();
        if (json.kind() == Kind.EXPRESSION) {
            findings.refuse(RefusalReason.EXPRESSION, json);
        } else if (json.kind() != Kind.STRING && json.kind() != Kind.MARKER) {
            throw new RefusedException(RefusalReason.NOT_UNDERSTOOD, json);
        } else if (table.schema().has(ColumnShape.LIST) || table.schema().hasTimestamps()) {
            findings.refuse(RefusalReason.JSON_VALUE, json);
        }
        if (tokens.take("default") && !tokens.take("null")) {
            tokens.expect("unset");
        }
    }

    // ---- UPDATE table ----

    private void readUpdate(Target table) {
        readUsingTimestampAndTtl(table);
        tokens.expect("set");
        do {
            readAssignment(table);
        } while (tokens.take(","));
        readWhere(table);
        refuseCondition();
    }

    private void readAssignment(Target table) {
        CqlToken column = tokens.name();
        ColumnShape shape = table.shapeOf(column);
        if (tokens.take("+=") || tokens.take("-=")) {
            readChange(table, column, shape);
        } else if (tokens.take("[")) {
            readElementKey(table, column, shape);
            tokens.expect("=");
            readTerm(table);
        } else if (tokens.take(".")) {
            tokens.name();
            tokens.expect("=");
            readTerm(table);
        } else {
            tokens.expect("=");
            readValue(table, column, shape);
        }
    }

    private void readValue(Target table, CqlToken column, ColumnShape shape) {
        if (isSame(column)) {
            tokens.next();
            if (!tokens.take("+")) {
                tokens.expect("-");
            }
            readChange(table, column, shape);
            return;
        }
        boolean empty = readEmptyValue(table);
        if (tokens.take("+")) {
            readFrontOf(column, shape);
        } else {
            checkOverwrite(column, shape, empty);
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
        return isColumn(0) && tokens.peek().asIdentifier().equals(column.asIdentifier());
    }

    /** Reads what is added to, or taken from, what the column holds. */
    private void readChange(Target table, CqlToken column, ColumnShape shape) {
        readTerm(table);
        switch (shape) {
            case SET, MAP -> {}
            case LIST -> findings.refuse(RefusalReason.LIST_CHANGE, column, tokens.last());
            case COUNTER -> findings.refuse(RefusalReason.COUNTER, column, tokens.last());
            case PLAIN -> findings.refuse(RefusalReason.NOT_UNDERSTOOD, column, tokens.last());
        }
    }

    // ---- DELETE ----

    /** The columns stand before the table that knows them: they are read when the table is known. */
    private void readDelete() {
        int columns = tokens.position();
        while (!tokens.nextIs("from") && !tokens.nextIs(Kind.END)) {
            tokens.next();
        }
        tokens.expect("from");
        Target table = readTable();
        int rest = tokens.position();
        tokens.moveTo(columns);
        readDeletedColumns(table);
        tokens.moveTo(rest);
        readUsingTimestamp();
        readWhere(table);
        refuseCondition();
    }

    private void readDeletedColumns(Target table) {
        if (!tokens.nextIs("from")) {
            do {
                CqlToken column = tokens.name();
                ColumnShape shape = table.shapeOf(column);
                if (tokens.take("[")) {
                    readElementKey(table, column, shape);
                } else if (tokens.take(".")) {
                    tokens.name();
                }
            } while (tokens.take(","));
        }
        tokens.expect("from");
    }

    // ---- what INSERT, UPDATE and DELETE share ----

    /** Reads a value and tells whether it surely leaves nothing in a collection. */
    private boolean readEmptyValue(Target table) {
        int start = tokens.position();
        boolean isNull = tokens.nextIs("null");
        boolean isList = tokens.nextIs("[");
        readTerm(table);
        int length = tokens.position() - start;
        return (isNull && length == 1) || (isList && length == 2);
    }

    /** Judges a whole column that is overwritten. */
    private void checkOverwrite(CqlToken column, ColumnShape shape, boolean empty) {
        if (shape == ColumnShape.LIST && !empty) {
            findings.refuse(RefusalReason.LIST_OVERWRITE, column);
        }
    }

    /** Reads the key of one element of the column, up to its closing bracket. */
    private void readElementKey(Target table, CqlToken column, ColumnShape shape) {
        readTerm(table);
        tokens.expect("]");
        switch (shape) {
            case SET, MAP -> {}
            case LIST -> findings.refuse(RefusalReason.LIST_CHANGE, column, tokens.last());
            case COUNTER, PLAIN -> findings.refuse(RefusalReason.NOT_UNDERSTOOD, column, tokens.last());
        }
    }

    private void readWhere(Target table) {
        tokens.expect("where");
        do {
            readRelation(table);
        } while (tokens.take("and"));
    }

    private void readRelation(Target table) {
        if (tokens.take("(")) {
            do {
                readKnownColumn(table);
            } while (tokens.take(","));
            tokens.expect(")");
        } else {
            readKnownColumn(table);
        }
        if (tokens.nextIs(Kind.SYMBOL) && COMPARISONS.contains(tokens.peek().text())) {
            tokens.next();
            readTerm(table);
            return;
        }
        tokens.expect("in");
        if (tokens.take("(")) {
            readTerms(table, 0, ")");
        } else {
            readTerm(table);
        }
    }

    private void readKnownColumn(Target table) {
        boolean function = tokens.peek(1).is("(");
        if (function) {
            throw tokens.notUnderstood();
        }
        table.shapeOf(tokens.name());
    }

    /** Refuses a condition, whatever it says. */
    private void refuseCondition() {
        if (tokens.nextIs("if")) {
            throw new RefusedException(RefusalReason.CONDITION, tokens.peek());
        }
    }

    // ---- USING ----

    /** Reads the settings of a statement that knows no time to live. */
    private void readUsingTimestamp() {
        if (tokens.take("using")) {
            tokens.expect("timestamp");
            readNumber();
            findings.noteOwnTimestamp(tokens.lastMarker());
        }
    }

    /** Reads the settings of a statement that writes cells. */
    private void readUsingTimestampAndTtl(Target table) {
        boolean stated = false;
        if (tokens.take("using")) {
            do {
                stated |= readSetting();
            } while (tokens.take("and"));
        }
        if (!stated && !table.schema().keepsRowsForever()) {
            findings.noteDefaultTtl();
            refuseTtl(table.name(), table.name());
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

    // ---- values: those that the next attempt would compute anew are refused ----

    /** Reads one value. A column's name after an operator is left to the caller. */
    private void readTerm(Target table) {
        if (++depth > DEEPEST_NESTING) {
            throw tokens.notUnderstood();
        }
        readOperand(table);
        while (OPERATORS.contains(tokens.peek().text()) && tokens.nextIs(Kind.SYMBOL) && !isColumn(1)) {
            tokens.next();
            readOperand(table);
        }
        depth--;
    }

    /** Reads values up to the closing symbol, at least as many as said. */
    private void readTerms(Target table, int least, String close) {
        if (least > 0 || !tokens.nextIs(close)) {
            do {
                readTerm(table);
            } while (tokens.take(","));
        }
        tokens.expect(close);
    }

    /** Whether a plain name that is neither a constant nor a function's stands so many places ahead. */
    private boolean isColumn(int ahead) {
        return tokens.peek(ahead).isName()
                && !isConstant(tokens.peek(ahead))
                && !tokens.peek(ahead + 1).is("(")
                && !tokens.peek(ahead + 1).is(".");
    }

    private void readOperand(Target table) {
        tokens.take("-");
        switch (tokens.peek().kind()) {
            case MARKER, NUMBER, LITERAL -> tokens.next();
            case STRING -> readString();
            case EXPRESSION -> findings.refuse(RefusalReason.EXPRESSION, tokens.next());
            case WORD, QUOTED_NAME -> readConstantOrFunction(table);
            case SYMBOL -> readBracketed(table);
            case END -> throw tokens.notUnderstood();
        }
    }

    private void readString() {
        CqlToken string = tokens.next();
        if (string.text().strip().equalsIgnoreCase("now")) {
            findings.refuse(RefusalReason.NOW_LITERAL, string);
        }
    }

    private void readConstantOrFunction(Target table) {
        if (isConstant(tokens.peek())) {
            tokens.next();
        } else if (tokens.nextIs("cast") && tokens.peek(1).is("(")) {
            tokens.expect("cast", "(");
            readTerm(table);
            tokens.expect("as");
            tokens.name();
            tokens.expect(")");
        } else {
            readFunction(table);
        }
    }

    private static boolean isConstant(CqlToken token) {
        return token.is("true") || token.is("false") || token.is("null") || token.is("nan") || token.is("infinity");
    }

    private void readFunction(Target table) {
        CqlToken first = tokens.name();
        CqlToken name = tokens.take(".") ? tokens.name() : first;
        tokens.expect("(");
        CqlIdentifier function = name.asIdentifier();
        boolean qualified = !first.equals(name);
        boolean system = qualified && first.asIdentifier().equals(SYSTEM);
        boolean ours =
                !system && (qualified || schema.hasUserFunction(table.schema().keyspace(), function));
        if (!ours && NativeFunctions.isMadeByTheServer(function)) {
            findings.refuse(RefusalReason.SERVER_VALUE, first, name);
        } else if (ours || !NativeFunctions.isDeterministic(function)) {
            findings.refuse(RefusalReason.UNKNOWN_FUNCTION, first, name);
        }
        readTerms(table, 0, ")");
    }

    private void readBracketed(Target table) {
        if (tokens.take("[")) {
            readTerms(table, 0, "]");
        } else if (tokens.take("{")) {
            readBraced(table);
        } else if (isTypeHint()) {
            tokens.expect("(");
            readType();
            tokens.expect(")");
            if (++depth > DEEPEST_NESTING) {
                throw tokens.notUnderstood();
            }
            readOperand(table);
            depth--;
        } else {
            tokens.expect("(");
            readTerms(table, 1, ")");
        }
    }

    /** A set, a map or a user-defined type. */
    private void readBraced(Target table) {
        if (tokens.take("}")) {
            return;
        }
        do {
            if (tokens.peek().isName() && tokens.peek(1).is(":")) {
                tokens.next();
            } else {
                readTerm(table);
            }
            if (tokens.take(":")) {
                readTerm(table);
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
}
