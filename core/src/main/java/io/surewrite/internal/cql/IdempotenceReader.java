package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.internal.cql.CqlToken.Kind;
import io.surewrite.internal.cql.RowText.Action;
import io.surewrite.internal.rows.TableColumn.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reports all that a retry of one statement would change. */
final class IdempotenceReader extends StatementReader {

    private static final Set<String> OPERATORS = Set.of("=", "<", "<=", ">", ">=", "in");
    private static final Set<String> CONSTANTS = Set.of("true", "false", "null", "nan", "infinity");
    private static final Set<String> SIGNS = Set.of("+", "-");
    private static final Set<String> BETWEEN_VALUES = Set.of(",", ":", "*", "/", "%");

    private static final Pattern MADE_BY_THE_SERVER =
            Pattern.compile("now|uuid|current_?(timeuuid|timestamp|date|time)");

    private final IdempotenceVerdict findings;
    private final TableLookup schema;
    private boolean settles;

    /** Of the statement that is being read; null before the first. */
    private @Nullable TableMetadata target;

    private boolean writesCells;
    private boolean saysHowLongItLives;
    private CqlToken name;

    IdempotenceReader(List<CqlToken> tokens, IdempotenceVerdict findings, TableLookup schema, boolean settles) {
        super(tokens);
        this.findings = findings;
        this.schema = schema;
        this.settles = settles;
        this.name = peek();
    }

    void read() {
        if (nextIs("select")) {
            return;
        }
        if (take("begin")) {
            readBatch();
        } else if (!readWrite()) {
            boolean isText = peek().kind() != Kind.WORD;
            throw isText ? notUnderstood() : new RefusedException(RefusalReason.NOT_A_ROW_WRITE, peek());
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
        readUsing();
        while (readWrite()) {
            take(";");
        }
        expect("apply", "batch");
    }

    @Override
    void table(Action action, @Nullable CqlIdentifier keyspace, CqlToken table) {
        TableMetadata found = schema.findTable(keyspace, table.asIdentifier())
                .orElseThrow(() -> new RefusedException(RefusalReason.UNKNOWN_TABLE, table));
        IdempotenceCheck.reasonAgainst(found).ifPresent(reason -> {
            throw new RefusedException(reason, table);
        });
        findings.tables().add(found);
        target = found;
        name = table;
        writesCells = action != Action.DELETE;
        saysHowLongItLives = false;
    }

    private Role roleOf(CqlToken column) {
        return IdempotenceCheck.roleOf(Objects.requireNonNull(target), column.asIdentifier())
                .orElseThrow(() -> new RefusedException(RefusalReason.UNKNOWN_COLUMN, column));
    }

    @Override
    void assigned(CqlToken column, Span value) {
        Role role = roleOf(column);
        CqlToken first = tokens.get(value.from());
        CqlToken second = tokens.get(value.from() + 1);
        CqlToken last = tokens.get(value.to() - 1);
        if (isSame(first, column) && (second.is("+") || second.is("-"))) {
            changed(column, new Span(value.from() + 2, value.to()));
        } else if (role == Role.LIST
                && isSame(last, column)
                && tokens.get(value.to() - 2).is("+")) {
            value(new Span(value.from(), value.to() - 2)); // only lists know column = value + column
            findings.refuse(RefusalReason.LIST_CHANGE, column, last);
        } else {
            value(value);
            int length = value.to() - value.from();
            boolean isEmpty = (length == 1 && first.is("null")) || (length == 2 && first.is("["));
            if (role == Role.LIST && !isEmpty) {
                findings.refuse(RefusalReason.LIST_OVERWRITE, column);
            }
        }
    }

    private static boolean isSame(CqlToken token, CqlToken column) {
        return token.isName()
                && !isOneOf(token, CONSTANTS)
                && token.asIdentifier().equals(column.asIdentifier());
    }

    @Override
    void changed(CqlToken column, @Nullable Span by) {
        Role role = roleOf(column);
        if (by != null) {
            value(by);
        }
        if (by != null && role != Role.ELEMENTS) {
            RefusalReason reason = role == Role.LIST ? RefusalReason.LIST_CHANGE : RefusalReason.NOT_UNDERSTOOD;
            findings.refuse(reason, column, tokens.get(at - 1));
        }
    }

    @Override
    void relation(Span all) {
        at = all.from();
        List<CqlToken> columns = new ArrayList<>();
        if (take("(")) {
            readList(() -> columns.add(name()));
            expect(")");
        } else {
            columns.add(name());
        }
        if (!isOneOf(peek(), OPERATORS)) {
            throw notUnderstood();
        }
        next();
        columns.forEach(this::roleOf);
        value(new Span(at, all.to()));
        at = all.to();
    }

    @Override
    void conditions(CqlToken first) {
        if (!settles) {
            throw new RefusedException(RefusalReason.CONDITION, first);
        }
    }

    @Override
    void condition(Span all) {
        int length = all.to() - all.from();
        boolean isOfTheRow = tokens.get(all.to() - 1).is("exists")
                && (length == 1 || (length == 2 && tokens.get(all.from()).is("not")));
        if (!isOfTheRow) {
            relation(all);
        }
    }

    @Override
    void setting(CqlToken setting, Span value) {
        boolean isTtl = setting.is("ttl") && writesCells;
        if (!isTtl && !setting.is("timestamp")) {
            throw new RefusedException(RefusalReason.NOT_UNDERSTOOD, setting);
        }
        CqlToken first = tokens.get(value.from());
        CqlToken number = tokens.get(value.to() - 1);
        boolean isAlone = value.to() - value.from() == (first.is("-") ? 2 : 1);
        if (isAlone && number.kind() == Kind.EXPRESSION) {
            findings.refuse(RefusalReason.EXPRESSION, number);
        } else if (!isAlone || (number.kind() != Kind.NUMBER && number.kind() != Kind.MARKER)) {
            throw new RefusedException(RefusalReason.NOT_UNDERSTOOD, first);
        }
        int marker = markerAt(value.to() - 1);
        boolean isForever = first.kind() == Kind.NUMBER && first.text().matches("0+");
        if (!isTtl) {
            findings.noteTimestamp(marker);
        } else if (!isForever) {
            findings.noteTtl(marker, setting, number);
        }
        saysHowLongItLives |= isTtl;
    }

    @Override
    void end() {
        if (writesCells && !saysHowLongItLives && !IdempotenceCheck.keepsRowsForever(Objects.requireNonNull(target))) {
            findings.noteDefaultTtl(() -> findings.refuse(RefusalReason.RELATIVE_TTL, name));
        }
    }

    /**
     * What the next attempt would compute anew is refused: all but constants, markers, and brackets around them. No value
     * follows a value, so that {'a':now()}, where the colon goes with the name as in a marker, is not taken for a constant.
     */
    @Override
    void value(Span value) {
        int before = at;
        at = value.from();
        boolean afterValue = false;
        do {
            CqlToken token = peek();
            boolean isSign = isOneOf(token, SIGNS);
            boolean isBetween = isOneOf(token, BETWEEN_VALUES);
            boolean isInPlace = isOneOf(token, CLOSING)
                    ? afterValue || isOneOf(tokens.get(at - 1), OPENING)
                    : isSign || afterValue == isBetween;
            if (at >= value.to() || !isInPlace) {
                throw notUnderstood();
            }
            afterValue = !isSign && !isBetween && !isOneOf(token, OPENING);
            switch (token.kind()) {
                case STRING -> readString();
                case EXPRESSION -> findings.refuse(RefusalReason.EXPRESSION, next());
                case WORD, QUOTED_NAME -> readName();
                case MARKER, NUMBER, LITERAL -> next();
                case SYMBOL, END -> {
                    if (afterValue && !isOneOf(token, CLOSING)) {
                        throw notUnderstood();
                    }
                    next();
                }
            }
        } while (at < value.to() || !afterValue);
        at = before;
    }

    private void readString() {
        CqlToken string = next();
        if (string.text().strip().equalsIgnoreCase("now")) {
            findings.refuse(RefusalReason.NOW_LITERAL, string);
        }
    }

    /** A constant, the name of a field, or a function; what stands in its brackets is of no matter then. */
    private void readName() {
        int start = at;
        CqlToken first = next();
        if (isOneOf(first, CONSTANTS) || nextIs(":")) {
            return;
        }
        CqlToken last = take(".") ? name() : first;
        if (!nextIs("(")) {
            throw new RefusedException(RefusalReason.NOT_UNDERSTOOD, first);
        }
        pass();
        boolean isServers = tokens.subList(start, at).stream()
                .anyMatch(token -> token.isName()
                        && MADE_BY_THE_SERVER
                                .matcher(token.asIdentifier().asInternal())
                                .matches());
        findings.refuse(isServers ? RefusalReason.SERVER_VALUE : RefusalReason.UNKNOWN_FUNCTION, first, last);
    }
}
