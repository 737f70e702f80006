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
                return Objects.requireNonNullElse(
                        session.getCodecRegistry().codecFor(type, given).encode(given, session.getProtocolVersion()),
                        NULL);
            } catch (CodecNotFoundException | IllegalArgumentException unusual) {
                return null; // the driver asks the value alone, and the server may take it
            }
        }
    }

    /** {@return what a column of the key is given, or must be equal to; null if that is nothing, or one of several} */
    public @Nullable Term keyTerm(CqlIdentifier column) {
        if (action == Action.INSERT) {
            return values.get(column);
        }
        List<Term> terms = key.getOrDefault(column, List.of());
        return terms.size() == 1 && !terms.get(0).isList() ? terms.get(0) : null;
    }

    /** {@return what the tokens of a text say; null if it is another statement, or not understood} */
    static @Nullable RowText of(List<CqlToken> tokens) {
        try {
            return new Reader(tokens).read();
        } catch (StatementReader.RefusedException odd) {
            return null;
        }
    }

    private static final class Reader extends StatementReader {

        private final Map<CqlIdentifier, Term> values = new LinkedHashMap<>();
        private final Map<CqlIdentifier, List<Term>> key = new LinkedHashMap<>();
        private final Map<CqlIdentifier, Term> conditions = new LinkedHashMap<>();
        private Action action = Action.TRUNCATE;
        private CqlText.@Nullable Name table;
        private @Nullable Term ttl;

        Reader(List<CqlToken> tokens) {
            super(tokens);
        }

        @Nullable
        RowText read() {
            if (take("truncate")) {
                boolean unused = take("table") || take("columnfamily");
                readTable(Action.TRUNCATE);
            } else if (!readWrite()) {
                return null;
            }
            readEnd();
            Action all = action == Action.DELETE && !values.isEmpty() ? Action.EMPTY : action;
            return new RowText(all, Objects.requireNonNull(table), values, key, ttl, conditions);
        }

        @Override
        void table(Action written, @Nullable CqlIdentifier keyspace, CqlToken name) {
            action = written;
            table = new CqlText.Name(keyspace, name.asIdentifier());
        }

        @Override
        void assigned(CqlToken column, Span value) {
            values.put(column.asIdentifier(), term(value));
        }

        @Override
        void changed(CqlToken column, @Nullable Span by) {
            values.put(column.asIdentifier(), action == Action.DELETE ? Term.NULL : Term.COMPUTED);
        }

        @Override
        void setting(CqlToken setting, Span value) {
            if (setting.is("ttl")) {
                ttl = term(value);
            } else if (!setting.is("timestamp")) {
                throw notUnderstood();
            }
        }

        /** A relation of another kind, or a second one of a column, tells no rows. */
        @Override
        void relation(Span all) {
            CqlToken first = tokens.get(all.from());
            CqlIdentifier column = first.isName() ? first.asIdentifier() : CqlIdentifier.fromInternal("");
            key.merge(column, terms(all), (one, other) -> List.of(Term.COMPUTED));
        }

        private List<Term> terms(Span all) {
            at = all.from() + 1;
            boolean isIn = take("in");
            if (isIn && take("(") && !nextIs(")")) {
                List<Term> terms = new ArrayList<>();
                readList(() -> terms.add(term(readValue())));
                expect(")");
                return terms;
            }
            Term term = isIn || take("=") ? term(new Span(at, all.to())) : Term.COMPUTED;
            at = all.to();
            return List.of(isIn && term.marker() >= 0 ? new Term(term.marker(), term.name(), true) : term);
        }

        @Override
        void condition(Span all) {
            CqlToken column = tokens.get(all.from());
            if (column.isName() && tokens.get(all.from() + 1).is("=")) {
                conditions.put(column.asIdentifier(), term(new Span(all.from() + 2, all.to())));
            }
        }

        private Term term(Span value) {
            if (value.to() - value.from() != 1) {
                return Term.COMPUTED;
            }
            CqlToken only = tokens.get(value.from());
            if (only.kind() == Kind.MARKER) {
                return new Term(markerAt(value.from()), only.text().substring(1).toLowerCase(Locale.ROOT), false);
            }
            return only.is("null") ? Term.NULL : Term.COMPUTED;
        }
    }
}
