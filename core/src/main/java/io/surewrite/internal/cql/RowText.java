package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.codec.CodecNotFoundException;
import io.surewrite.internal.cql.CqlToken.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one INSERT, UPDATE, DELETE or TRUNCATE says of rows and columns.
 *
 * @param values of an INSERT those of the key, too
 * @param key what the rows are told by, if all relations are equalities or lists
 * @param conditions what columns must be equal to
 */
public record RowText(
        Action action,
        CqlText.Name table,
        Map<CqlIdentifier, Term> values,
        Map<CqlIdentifier, List<Term>> key,
        @Nullable Term ttl,
        Map<CqlIdentifier, Term> conditions) {

    public enum Action {
        INSERT,
        UPDATE,
        /** Of whole rows. */
        DELETE,
        /** Of columns, or parts of them. */
        EMPTY,
        TRUNCATE
    }

    /** A value by the statement's marker, counted from 0; negative if it is none. */
    public record Term(int marker, String name, boolean isList) {

        public static final Term NULL = new Term(-1, "", false);

        /** Anything else, such as a literal or an expression. */
        public static final Term COMPUTED = new Term(-2, "", false);

        /** What a statement that is not prepared gives to the marker. */
        public @Nullable Object given(SimpleStatement statement) {
            if (statement.getNamedValues().isEmpty()) {
                List<Object> values = statement.getPositionalValues();
                return marker < values.size() ? values.get(marker) : null;
            }
            return statement.getNamedValues().get(CqlIdentifier.fromInternal(name));
        }

        /** {@return its bytes as a column stores them, or {@link #NULL}; null for what is computed, not set, or of another type} */
        public @Nullable Object encoded(DataType type, Statement<?> statement, DriverContext session) {
            if (marker < 0) {
                return equals(NULL) ? NULL : null;
            }
            if (statement instanceof BoundStatement bound) {
                return bound.isSet(marker) ? Objects.requireNonNullElse(bound.getBytesUnsafe(marker), NULL) : null;
            }
            Object given = given((SimpleStatement) statement);
            if (given == null) {
                return NULL;
            }
            try {
                return session.getCodecRegistry().codecFor(type, given).encode(given, session.getProtocolVersion());
            } catch (CodecNotFoundException | IllegalArgumentException unusual) {
                return null; // the driver asks the value alone, and the server may take it
            }
        }
    }

    /** {@return what the tokens of a text say; null if it is another statement, or not understood} */
    static @Nullable RowText of(List<CqlToken> tokens) {
        try {
            return new Reader(tokens).read();
        } catch (TokenReader.RefusedException odd) {
            return null;
        }
    }

    /** Looks into no value. */
    private static final class Reader extends TokenReader {

        private final Map<CqlIdentifier, Term> values = new LinkedHashMap<>();
        private final Map<CqlIdentifier, List<Term>> key = new LinkedHashMap<>();
        private final Map<CqlIdentifier, Term> conditions = new LinkedHashMap<>();
        private @Nullable Term ttl;

        Reader(List<CqlToken> tokens) {
            super(tokens);
        }

        @Nullable
        RowText read() {
            if (take("insert")) {
                expect("into");
                return insert(table());
            }
            if (take("update")) {
                return update(table());
            }
            if (take("delete")) {
                return delete();
            }
            if (take("truncate")) {
                boolean unused = take("table") || take("columnfamily");
                return end(Action.TRUNCATE, table());
            }
            return null;
        }

        private RowText insert(CqlText.Name table) {
            expect("(");
            List<CqlIdentifier> names = new ArrayList<>();
            readList(() -> names.add(column()));
            expect(")", "values", "(");
            for (CqlIdentifier name : names) {
                values.put(name, term(",", ")"));
                take(",");
            }
            expect(")");
            if (take("if")) {
                skip("using");
            }
            using();
            return end(Action.INSERT, table);
        }

        private RowText update(CqlText.Name table) {
            using();
            expect("set");
            readList(() -> {
                CqlIdentifier column = column();
                if (take("=")) {
                    values.put(column, term(",", "where"));
                } else { // an element or a field
                    skip(",", "where");
                    values.put(column, Term.COMPUTED);
                }
            });
            where();
            return end(Action.UPDATE, table);
        }

        private RowText delete() {
            while (!peek().is("from")) {
                values.put(column(), Term.NULL);
                skip("from", ",");
                take(",");
            }
            expect("from");
            CqlText.Name table = table();
            using();
            where();
            return end(values.isEmpty() ? Action.DELETE : Action.EMPTY, table);
        }

        private CqlText.Name table() {
            CqlIdentifier first = column();
            return take(".") ? new CqlText.Name(first, column()) : new CqlText.Name(null, first);
        }

        private void using() {
            if (!take("using")) {
                return;
            }
            do {
                boolean isTtl = take("ttl");
                if (!isTtl) {
                    expect("timestamp");
                }
                Term term = term("and", "set", "where", ";");
                ttl = isTtl ? term : ttl;
            } while (take("and"));
        }

        /** A relation of another kind, or a second one of a column, tells no rows. */
        private void where() {
            expect("where");
            do {
                CqlIdentifier column = peek().isName() ? column() : CqlIdentifier.fromInternal("");
                List<Term> terms = relation();
                key.merge(column, terms, (one, other) -> List.of(Term.COMPUTED));
            } while (take("and"));
            if (take("if")) {
                conditions();
            }
        }

        private void conditions() {
            do {
                CqlIdentifier column = column();
                if (take("=")) {
                    conditions.put(column, term("and", ";"));
                } else {
                    skip("and", ";");
                }
            } while (take("and"));
        }

        private List<Term> relation() {
            if (take("=")) {
                return List.of(term("and", "if", ";"));
            }
            if (!take("in")) {
                skip("and", "if", ";");
                return List.of(Term.COMPUTED);
            }
            if (!take("(")) {
                Term list = term("and", "if", ";");
                return List.of(new Term(list.marker(), list.name(), true));
            }
            List<Term> terms = new ArrayList<>();
            readList(() -> terms.add(term(",", ")")));
            expect(")");
            return terms;
        }

        private RowText end(Action action, CqlText.Name table) {
            readEnd();
            return new RowText(action, table, values, key, ttl, conditions);
        }

        /** What stands before one of some tokens. */
        private Term term(String... ends) {
            int from = at;
            skip(ends);
            CqlToken only = tokens.get(from);
            if (at - from != 1) {
                return Term.COMPUTED;
            }
            if (only.kind() == Kind.MARKER) {
                return new Term(markerAt(from), only.text().substring(1).toLowerCase(Locale.ROOT), false);
            }
            return only.is("null") ? Term.NULL : Term.COMPUTED;
        }

        private CqlIdentifier column() {
            return name().asIdentifier();
        }
    }
}
