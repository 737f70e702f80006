package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.internal.cql.CqlToken.Kind;
import io.surewrite.internal.rows.TableColumn.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reports all that a retry of one statement would change. The methods stand in the order of the grammar. */
final class StatementReader extends TokenReader {

    private static final Set<String> OTHERS =
            Set.of("truncate", "create", "alter", "drop", "use", "grant", "revoke", "list", "describe", "desc", "add");
    private static final Set<String> COMPARISONS = Set.of("=", "<", "<=", ">", ">=");
    private static final int DEEPEST_NESTING = 64;

    private static final Set<String> CONSTANTS = Set.of("true", "false", "null", "nan", "infinity");

    private static final Pattern MADE_BY_THE_SERVER =
            Pattern.compile("now|uuid|current_?(timeuuid|timestamp|date|time)");

    private final Findings findings;
    private final TableLookup schema;
    private boolean settles;
    private int depth;

    /** The tokens of a text that can be cut in one way only. */
    static List<CqlToken> tokenize(String text) {
        CqlTokenizer read = new CqlTokenizer(text);
        if (read.misread != null) {
            throw new RefusedException(RefusalReason.NOT_UNDERSTOOD, read.misread);
        }
        return read.tokens;
    }

    StatementReader(List<CqlToken> tokens, Findings findings, TableLookup schema, boolean settles) {
        super(tokens);
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
        readEnd();
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

    private static Role shapeOf(CqlToken column, TargetTable table) {
        return table.shapeOf(column.asIdentifier())
                .orElseThrow(() -> new RefusedException(RefusalReason.UNKNOWN_COLUMN, column));
    }

    // ---- INSERT INTO table ----

    private void readInsert(CqlToken name, TargetTable table) {
        if (nextIs("json")) {
            throw new RefusedException(RefusalReason.JSON_VALUE, peek());
        }
        readColumnsAndValues(table);
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
            Role shape = shapeOf(column, table);
            checkOverwrite(column, shape, readEmptyValue(table));
        }
        expect(")");
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
        Role shape = shapeOf(column, table);
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

    private void readValue(TargetTable table, CqlToken column, Role shape) {
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
            if (shape != Role.LIST || !isSame(column)) { // only lists know column = value + column
                throw notUnderstood();
            }
            findings.refuse(RefusalReason.LIST_CHANGE, column, next());
        } else {
            checkOverwrite(column, shape, empty);
        }
    }

    private boolean isSame(CqlToken column) {
        return peek().isName()
                && !isConstant(peek())
                && !peek(1).is("(")
                && !peek(1).is(".")
                && peek().asIdentifier().equals(column.asIdentifier());
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
                Role shape = shapeOf(column, table);
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

    private void checkOverwrite(CqlToken column, Role shape, boolean empty) {
        if (shape == Role.LIST && !empty) {
            findings.refuse(RefusalReason.LIST_OVERWRITE, column);
        }
    }

    /** Reads the key of one element, up to its closing bracket, or what is added to or taken from what the column holds. */
    private void readChange(TargetTable table, CqlToken column, Role shape, String... end) {
        readTerm(table);
        expect(end);
        if (shape != Role.ELEMENTS) {
            findings.refuse(
                    shape == Role.LIST ? RefusalReason.LIST_CHANGE : RefusalReason.NOT_UNDERSTOOD, column, last());
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
            readTerms(table, ")");
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
                    findings.noteTimestamp(markerAt(at - 1));
                } else if (writesCells && take("ttl")) {
                    stated = true;
                    boolean forever = nextIs(Kind.NUMBER) && peek().text().matches("0+");
                    readNumber();
                    if (!forever) {
                        findings.noteTtl(markerAt(at - 1), setting, last());
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

    private void readTerm(TargetTable table) {
        if (++depth > DEEPEST_NESTING) {
            throw notUnderstood();
        }
        readOperand(table);
        depth--;
    }

    /** Reads values up to the closing symbol. */
    private void readTerms(TargetTable table, String close) {
        if (!nextIs(close)) {
            readList(() -> readTerm(table));
        }
        expect(close);
    }

    private void readOperand(TargetTable table) {
        take("-");
        switch (peek().kind()) {
            case MARKER, NUMBER, LITERAL -> next();
            case STRING -> readString();
            case EXPRESSION -> findings.refuse(RefusalReason.EXPRESSION, next());
            case WORD, QUOTED_NAME -> readConstantOrFunction();
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

    private void readConstantOrFunction() {
        if (isConstant(peek())) {
            next();
        } else {
            readFunction();
        }
    }

    private static boolean isConstant(CqlToken token) {
        return token.kind() == Kind.WORD && CONSTANTS.contains(token.text().toLowerCase(Locale.ROOT));
    }

    /** What else stands in its brackets is of no matter: the function is refused. */
    private void readFunction() {
        int start = at;
        CqlToken first = name();
        CqlToken name = take(".") ? name() : first;
        expect("(");
        skip(")");
        expect(")");
        boolean isServers = tokens.subList(start, at).stream()
                .anyMatch(token -> token.isName()
                        && MADE_BY_THE_SERVER
                                .matcher(token.asIdentifier().asInternal())
                                .matches());
        findings.refuse(isServers ? RefusalReason.SERVER_VALUE : RefusalReason.UNKNOWN_FUNCTION, first, name);
    }

    private void readBracketed(TargetTable table) {
        if (take("[")) {
            readTerms(table, "]");
        } else if (take("{")) {
            readBraced(table);
        } else {
            expect("(");
            readList(() -> readTerm(table));
            expect(")");
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
}
