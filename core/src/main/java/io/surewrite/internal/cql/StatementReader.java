package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.internal.cql.CqlToken.Kind;
import io.surewrite.internal.cql.TableLookup.ColumnShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
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

    private static final Set<String> CONSTANTS = Set.of("true", "false", "null", "nan", "infinity");

    private static final Pattern MADE_BY_THE_SERVER =
            Pattern.compile("now|uuid|current_?(timeuuid|timestamp|date|time)");

    private static final String TYPE = "(ascii|bigint|boolean|date|decimal|double|duration|float|inet|int|smallint"
            + "|text|time|timestamp|timeuuid|tinyint|uuid|varchar|varint)";

    /**
     * Functions of their arguments alone, to the last bit on every machine. {@code fromJson} is not among them: it reads
     * "now" as the current time.
     */
    private static final Pattern DETERMINISTIC = Pattern.compile("token|(min|max)_?timeuuid|to_?(date|timestamp|json)"
            + "|tounixtimestamp|to_unix_timestamp|dateof|unixtimestampof|abs|round|map_(keys|values)"
            + "|collection_(count|min|max|sum|avg)"
            + ("|" + TYPE + "_as_blob|" + TYPE + "asblob|blob_as_" + TYPE + "|blobas" + TYPE));

    private final List<CqlToken> tokens;
    private final Findings findings;
    private final TableLookup schema;
    private boolean settles;
    private int at;
    private int depth;

    /**
     * The tokens of a text that can be cut in one way only.
     *
     * @throws RefusedException where it cannot
     */
    static List<CqlToken> tokenize(String text) {
        CqlTokenizer read = new CqlTokenizer(text);
        if (read.misread != null) {
            throw new RefusedException(RefusalReason.NOT_UNDERSTOOD, read.misread);
        }
        return read.tokens;
    }

    StatementReader(List<CqlToken> tokens, Findings findings, TableLookup schema, boolean settles) {
        this.tokens = tokens;
        this.findings = findings;
        this.schema = schema;
        this.settles = settles;
    }

    void read() {
        if (nextIs("select")) {
            return;
        }
        if (take("begin")) {
            readBatch();
        } else if (!readWrite()) {
            boolean known = nextIs(Kind.WORD) && OTHERS.contains(peek().text().toLowerCase(Locale.ROOT));
            throw new RefusedException(known ? RefusalReason.NOT_A_ROW_WRITE : RefusalReason.NOT_UNDERSTOOD, peek());
        }
        while (nextIs(";")) {
            next();
        }
        if (!nextIs(Kind.END)) {
            throw notUnderstood();
        }
    }

    private void readBatch() {
        if (nextIs("counter")) {
            throw new RefusedException(RefusalReason.COUNTER, peek());
        }
        if (nextIs("transaction")) {
            throw new RefusedException(RefusalReason.CONDITION, peek());
        }
        settles = false;
        take("unlogged");
        expect("batch");
        readUsing(false);
        while (readWrite()) {
            take(";");
        }
        expect("apply", "batch");
    }

    /** Reads one INSERT, UPDATE or DELETE, if it is next. */
    private boolean readWrite() {
        if (take("insert")) {
            expect("into");
            readInsert(peek(), readTable());
        } else if (take("update")) {
            readUpdate(peek(), readTable());
        } else if (take("delete")) {
            readDelete();
        } else {
            return false;
        }
        return true;
    }

    /** Reads the name of the table, which comes next. */
    private TargetTable readTable() {
        CqlToken first = name();
        boolean qualified = take(".");
        CqlToken name = qualified ? name() : first;
        @Nullable CqlIdentifier keyspace = qualified ? first.asIdentifier() : null;
        TargetTable found = schema.findTable(keyspace, name.asIdentifier())
                .map(TargetTable::new)
                .orElseThrow(() -> new RefusedException(RefusalReason.UNKNOWN_TABLE, name));
        found.reasonAgainst().ifPresent(reason -> {
            throw new RefusedException(reason, name);
        });
        findings.tables.add(found.metadata());
        return found;
    }

    private static ColumnShape shapeOf(CqlToken column, TargetTable table) {
        return table.shapeOf(column.asIdentifier())
                .orElseThrow(() -> new RefusedException(RefusalReason.UNKNOWN_COLUMN, column));
    }

    // ---- INSERT INTO table ----

    private void readInsert(CqlToken name, TargetTable table) {
        if (take("json")) {
            readJson(table);
        } else {
            readColumnsAndValues(table);
        }
        readCondition(table);
        readLife(name, table);
    }

    private void readColumnsAndValues(TargetTable table) {
        List<CqlToken> columns = new ArrayList<>();
        expect("(");
        readList(() -> columns.add(name()));
        expect(")", "values", "(");
        for (CqlToken column : columns) {
            if (!column.equals(columns.get(0))) {
                expect(",");
            }
            ColumnShape shape = shapeOf(column, table);
            checkOverwrite(column, shape, readEmptyValue(table));
        }
        expect(")");
    }

    private void readJson(TargetTable table) {
        CqlToken json = next();
        if (json.kind() == Kind.EXPRESSION) {
            findings.refuse(RefusalReason.EXPRESSION, json);
        } else if (json.kind() != Kind.STRING && json.kind() != Kind.MARKER) {
            throw new RefusedException(RefusalReason.NOT_UNDERSTOOD, json);
        } else if (table.hasLists() || table.hasTimestamps()) {
            findings.refuse(RefusalReason.JSON_VALUE, json);
        }
        if (take("default") && !take("null")) {
            expect("unset");
        }
    }

    // ---- UPDATE table ----

    private void readUpdate(CqlToken name, TargetTable table) {
        readLife(name, table);
        expect("set");
        readList(() -> readAssignment(table));
        readWhere(table);
        readCondition(table);
    }

    private void readAssignment(TargetTable table) {
        CqlToken column = name();
        ColumnShape shape = shapeOf(column, table);
        if (take("+=") || take("-=")) {
            readChange(table, column, shape);
        } else if (take("[")) {
            readChange(table, column, shape, "]");
            expect("=");
            readTerm(table);
        } else if (take(".")) {
            name();
            expect("=");
            readTerm(table);
        } else {
            expect("=");
            readValue(table, column, shape);
        }
    }

    private void readValue(TargetTable table, CqlToken column, ColumnShape shape) {
        if (isSame(column)) {
            next();
            if (!take("+")) {
                expect("-");
            }
            readChange(table, column, shape);
            return;
        }
        boolean empty = readEmptyValue(table);
        if (take("+")) {
            if (shape != ColumnShape.LIST || !isSame(column)) { // only lists know column = value + column
                throw notUnderstood();
            }
            findings.refuse(RefusalReason.LIST_CHANGE, column, next());
        } else {
            checkOverwrite(column, shape, empty);
        }
    }

    private boolean isSame(CqlToken column) {
        return isColumn(0) && peek().asIdentifier().equals(column.asIdentifier());
    }

    // ---- DELETE ----

    /** The columns stand before the table that knows them: they are read when the table is known. */
    private void readDelete() {
        int columns = at;
        while (!nextIs("from") && !nextIs(Kind.END)) {
            next();
        }
        expect("from");
        TargetTable table = readTable();
        int rest = at;
        at = columns;
        readDeletedColumns(table);
        at = rest;
        readUsing(false);
        readWhere(table);
        readCondition(table);
    }

    private void readDeletedColumns(TargetTable table) {
        if (!nextIs("from")) {
            do {
                CqlToken column = name();
                ColumnShape shape = shapeOf(column, table);
                if (take("[")) {
                    readChange(table, column, shape, "]");
                } else if (take(".")) {
                    name();
                }
            } while (take(","));
        }
        expect("from");
    }

    // ---- what INSERT, UPDATE and DELETE share ----

    /** Reads a value and tells whether it surely leaves nothing in a collection. */
    private boolean readEmptyValue(TargetTable table) {
        int start = at;
        boolean isNull = nextIs("null");
        boolean isList = nextIs("[");
        readTerm(table);
        int length = at - start;
        return (isNull && length == 1) || (isList && length == 2);
    }

    /** Judges a whole column that is overwritten. */
    private void checkOverwrite(CqlToken column, ColumnShape shape, boolean empty) {
        if (shape == ColumnShape.LIST && !empty) {
            findings.refuse(RefusalReason.LIST_OVERWRITE, column);
        }
    }

    /** Reads the key of one element, up to its closing bracket, or what is added to or taken from what the column holds. */
    private void readChange(TargetTable table, CqlToken column, ColumnShape shape, String... end) {
        readTerm(table);
        expect(end);
        if (shape != ColumnShape.KEYED) {
            findings.refuse(
                    shape == ColumnShape.LIST ? RefusalReason.LIST_CHANGE : RefusalReason.NOT_UNDERSTOOD,
                    column,
                    last());
        }
    }

    private void readWhere(TargetTable table) {
        expect("where");
        do {
            readRelation(table);
        } while (take("and"));
    }

    private void readRelation(TargetTable table) {
        if (take("(")) {
            readList(() -> readKnownColumn(table));
            expect(")");
        } else {
            readKnownColumn(table);
        }
        if (nextIs(Kind.SYMBOL) && COMPARISONS.contains(peek().text())) {
            next();
            readTerm(table);
            return;
        }
        expect("in");
        if (take("(")) {
            readTerms(table, 0, ")");
        } else {
            readTerm(table);
        }
    }

    private void readKnownColumn(TargetTable table) {
        if (peek(1).is("(")) { // a function
            throw notUnderstood();
        }
        shapeOf(name(), table);
    }

    private void readCondition(TargetTable table) {
        if (nextIs("if") && !settles) {
            throw new RefusedException(RefusalReason.CONDITION, peek());
        }
        if (!take("if") || take("exists")) {
            return;
        }
        if (take("not")) {
            expect("exists");
            return;
        }
        do {
            readRelation(table);
        } while (take("and"));
    }

    // ---- USING ----

    private void readLife(CqlToken name, TargetTable table) {
        if (!readUsing(true) && !table.keepsRowsForever()) {
            findings.noteDefaultTtl(() -> findings.refuse(RefusalReason.RELATIVE_TTL, name));
        }
    }

    /** Reads the settings, and tells whether a time to live is one. Only statements that write cells know it. */
    private boolean readUsing(boolean writesCells) {
        boolean stated = false;
        if (take("using")) {
            do {
                CqlToken setting = peek();
                if (take("timestamp")) {
                    readNumber();
                    findings.noteTimestamp(lastMarker());
                } else if (writesCells && take("ttl")) {
                    stated = true;
                    boolean forever = nextIs(Kind.NUMBER) && peek().text().matches("0+");
                    readNumber();
                    if (!forever) {
                        findings.noteTtl(lastMarker(), setting, last());
                    }
                } else {
                    throw notUnderstood();
                }
            } while (writesCells && take("and"));
        }
        return stated;
    }

    private void readNumber() {
        take("-");
        CqlToken value = next();
        switch (value.kind()) {
            case NUMBER, MARKER -> {}
            case EXPRESSION -> findings.refuse(RefusalReason.EXPRESSION, value);
            default -> throw new RefusedException(RefusalReason.NOT_UNDERSTOOD, value);
        }
    }

    // ---- values: those that the next attempt would compute anew are refused ----

    /** Reads one value. A column's name after an operator is left to the caller. */
    private void readTerm(TargetTable table) {
        enter();
        readOperand(table);
        while (OPERATORS.contains(peek().text()) && nextIs(Kind.SYMBOL) && !isColumn(1)) {
            next();
            readOperand(table);
        }
        depth--;
    }

    private void enter() {
        if (++depth > DEEPEST_NESTING) {
            throw notUnderstood();
        }
    }

    /** Reads values up to the closing symbol, at least as many as said. */
    private void readTerms(TargetTable table, int least, String close) {
        if (least > 0 || !nextIs(close)) {
            readList(() -> readTerm(table));
        }
        expect(close);
    }

    /** Whether a plain name that is neither a constant nor a function's stands so many places ahead. */
    private boolean isColumn(int ahead) {
        return peek(ahead).isName()
                && !isConstant(peek(ahead))
                && !peek(ahead + 1).is("(")
                && !peek(ahead + 1).is(".");
    }

    private void readOperand(TargetTable table) {
        take("-");
        switch (peek().kind()) {
            case MARKER, NUMBER, LITERAL -> next();
            case STRING -> readString();
            case EXPRESSION -> findings.refuse(RefusalReason.EXPRESSION, next());
            case WORD, QUOTED_NAME -> readConstantOrFunction(table);
            case SYMBOL -> readBracketed(table);
            case END -> throw notUnderstood();
        }
    }

    private void readString() {
        CqlToken string = next();
        if (string.text().strip().equalsIgnoreCase("now")) {
            findings.refuse(RefusalReason.NOW_LITERAL, string);
        }
    }

    private void readConstantOrFunction(TargetTable table) {
        if (isConstant(peek())) {
            next();
        } else if (nextIs("cast") && peek(1).is("(")) {
            expect("cast", "(");
            readTerm(table);
            expect("as");
            name();
            expect(")");
        } else {
            readFunction(table);
        }
    }

    private static boolean isConstant(CqlToken token) {
        return token.kind() == Kind.WORD && CONSTANTS.contains(token.text().toLowerCase(Locale.ROOT));
    }

    private void readFunction(TargetTable table) {
        CqlToken first = name();
        CqlToken name = take(".") ? name() : first;
        expect("(");
        CqlIdentifier function = name.asIdentifier();
        String text = function.asInternal();
        boolean qualified = !first.equals(name);
        boolean system = qualified && first.asIdentifier().equals(SYSTEM);
        boolean ours =
                !system && (qualified || schema.hasUserFunction(table.metadata().getKeyspace(), function));
        if (!ours && MADE_BY_THE_SERVER.matcher(text).matches()) {
            findings.refuse(RefusalReason.SERVER_VALUE, first, name);
        } else if (ours || !DETERMINISTIC.matcher(text).matches()) {
            findings.refuse(RefusalReason.UNKNOWN_FUNCTION, first, name);
        }
        readTerms(table, 0, ")");
    }

    private void readBracketed(TargetTable table) {
        if (take("[")) {
            readTerms(table, 0, "]");
        } else if (take("{")) {
            readBraced(table);
        } else if (isTypeHint()) {
            expect("(");
            readType();
            expect(")");
            enter();
            readOperand(table);
            depth--;
        } else {
            expect("(");
            readTerms(table, 1, ")");
        }
    }

    /** A set, a map or a user-defined type. */
    private void readBraced(TargetTable table) {
        if (take("}")) {
            return;
        }
        do {
            if (peek().isName() && peek(1).is(":")) {
                next();
            } else {
                readTerm(table);
            }
            if (take(":")) {
                readTerm(table);
            }
        } while (take(","));
        expect("}");
    }

    private boolean isTypeHint() {
        CqlToken type = peek(1);
        return nextIs("(") && type.isName() && !isConstant(type) && (peek(2).is(")") || peek(2).is("<"));
    }

    private void readType() {
        enter();
        if (!nextIs(Kind.NUMBER) && !peek().isName()) {
            throw notUnderstood();
        }
        next();
        if (take("<")) {
            readList(this::readType);
            expect(">");
        }
        depth--;
    }

    // ---- the tokens ----

    /** Reads one or more of the same, with commas between them. */
    private void readList(Runnable one) {
        do {
            one.run();
        } while (take(","));
    }

    private CqlToken peek() {
        return peek(0);
    }

    /** The token so many places ahead; the last one stands for all that follow it. */
    private CqlToken peek(int ahead) {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    private CqlToken next() {
        CqlToken token = peek();
        at++;
        return token;
    }

    private CqlToken last() {
        return tokens.get(Math.min(at, tokens.size()) - 1);
    }

    /** Which bind marker the token taken last is, counted from 0; -1 if it is none. */
    private int lastMarker() {
        return last().kind() != Kind.MARKER
                ? -1
                : (int) tokens.subList(0, at - 1).stream()
                        .filter(token -> token.kind() == Kind.MARKER)
                        .count();
    }

    private boolean nextIs(String expected) {
        return peek().is(expected);
    }

    private boolean nextIs(Kind kind) {
        return peek().kind() == kind;
    }

    /** Takes the keyword or symbol if it is next. */
    private boolean take(String expected) {
        boolean found = nextIs(expected);
        if (found) {
            at++;
        }
        return found;
    }

    private void expect(String... expected) {
        for (String word : expected) {
            if (!take(word)) {
                throw notUnderstood();
            }
        }
    }

    private CqlToken name() {
        if (!peek().isName()) {
            throw notUnderstood();
        }
        return next();
    }

    /** The end of a reading that came upon a token it has no place for. */
    private RefusedException notUnderstood() {
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
