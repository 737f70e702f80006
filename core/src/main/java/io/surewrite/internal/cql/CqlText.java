package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.session.Request;
import io.surewrite.internal.cql.CqlToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a text of CQL says, by its tokens: nothing in a literal, a comment or quotes counts as a keyword. The keywords that
 * are looked for are reserved, so they mean the same wherever they stand. Texts are remembered: to ask again is a look-up.
 *
 * <p>Of what Cassandra cannot read only the beginning is read, and it counts as conditional: it is sent as it is.
 */
public final class CqlText {

    private static final Made<String, CqlText> KNOWN = new Made<>(CqlText::new);

    private static final CqlText UNREAD = new CqlText("'");

    private static final Set<String> SCHEMA_CHANGES = Set.of("create", "alter", "drop", "truncate");

    private final String cql;
    private final String first;
    private boolean conditional;
    private boolean several;
    private boolean drawsTimestamp;
    private boolean searchesVectors;
    private final List<Name> tables = new ArrayList<>(1);

    private @Nullable RowText rows;
    private volatile boolean rowsRead;

    /** A table by its name; the keyspace is null where none is named. */
    public record Name(@Nullable CqlIdentifier keyspace, CqlIdentifier table) {

        public static Name of(TableMetadata table) {
            return new Name(table.getKeyspace(), table.getName());
        }

        /** With a keyspace, where one is named. */
        public Name in(@Nullable CqlIdentifier here) {
            return keyspace == null ? new Name(here, table) : this;
        }

        @Override
        public String toString() {
            return (keyspace == null ? "" : keyspace.asCql(true) + ".") + table.asCql(true);
        }
    }

    /**
     * What is made of a text once. Emptied when it is full: it is read for each statement, and to order them by their last use costs
     * more than the look-up.
     */
    public record Made<K, V>(Map<K, V> known, Function<K, V> make) {

        /** An application that makes more texts than this, or longer ones, makes them of values. */
        private static final int MOST = 2_000;

        private static final int LONGEST = 10_000;

        public Made(Function<K, V> make) {
            this(new ConcurrentHashMap<>(), make);
        }

        public V get(K key, String cql) {
            V before = known.get(key);
            if (before != null) {
                return before;
            }
            V made = make.apply(key);
            if (cql.length() <= LONGEST) {
                if (known.size() >= MOST) {
                    known.clear();
                }
                known.put(key, made);
            }
            return made;
        }
    }

    private CqlText(String cql) {
        List<CqlToken> tokens = new CqlTokenizer(cql).tokens;
        this.cql = cql;
        this.first = word(tokens, 0);
        this.several = isBatch();
        boolean using = false;
        boolean stamped = true; // the statement before the next one
        boolean batchStamped = false;
        for (int at = 0; at < tokens.size(); at++) {
            String word = word(tokens, at);
            switch (word) {
                case "insert", "update", "delete" -> {
                    drawsTimestamp |= !stamped;
                    stamped = batchStamped;
                    using = false;
                    if (word.equals("update")) {
                        noteTable(tokens, at + 1);
                    }
                }
                case "into", "from" -> noteTable(tokens, at + 1);
                case "using" -> using = true;
                case "timestamp" -> {
                    batchStamped |= using && isBatch() && tables.isEmpty();
                    stamped |= using;
                }
                case "set", "where" -> using = false;
                case "ann" -> searchesVectors |= reads() && word(tokens, at + 1).equals("of");
                case "if" -> conditional = true;
                case "in" -> several |= !conditional; // a condition is about one row
                case "exists" -> {
                    if (first.equals("create")
                            && word(tokens, Math.max(0, at - 3)).equals("table")) {
                        noteTable(tokens, at + 1);
                    }
                }
                // Accord decides it, and stamps it.
                case "transaction" -> conditional |= at == 1 && isBatch();
                default -> {}
            }
        }
        drawsTimestamp |= !stamped;
        conditional |= tokens.get(tokens.size() - 1).start() < cql.length();
    }

    /** The word that stands there, in lower case; empty if none does, or it is the name of a bind marker. */
    private static String word(List<CqlToken> tokens, int at) {
        return at < tokens.size()
                        && tokens.get(at).kind() == Kind.WORD
                        && (at == 0 || !tokens.get(at - 1).is(":"))
                ? tokens.get(at).text().toLowerCase(Locale.ROOT)
                : "";
    }

    /** Notes the table whose name stands there. */
    private void noteTable(List<CqlToken> tokens, int at) {
        boolean qualified = at + 2 < tokens.size() && tokens.get(at + 1).is(".");
        CqlToken name = tokens.get(qualified ? at + 2 : at);
        if (name.isName()) {
            tables.add(new Name(qualified ? tokens.get(at).asIdentifier() : null, name.asIdentifier()));
        }
    }

    public static CqlText of(String cql) {
        return KNOWN.get(cql, cql);
    }

    /** What a statement says; one that is neither bound nor simple cannot be read. */
    public static CqlText of(Request request) {
        if (request instanceof BoundStatement bound) {
            return of(bound.getPreparedStatement().getQuery());
        }
        return request instanceof SimpleStatement simple ? of(simple.getQuery()) : UNREAD;
    }

    public static boolean isRead(Request request) {
        return of(request).reads();
    }

    /** Whether the statement, or a part of it, may be a conditional one. */
    public static boolean mayBeConditional(Request request) {
        if (request instanceof BatchStatement batch) {
            return anyPart(batch, CqlText::mayBeConditional);
        }
        return of(request).conditional;
    }

    /** Of which some may have got it when it fails. Any batch, and what names some of its rows, is taken for it. */
    public static boolean mayWriteSeveralPartitions(Request request) {
        return request instanceof BatchStatement || of(request).several;
    }

    /**
     * Whether the driver stamps the statement, or a part of it. One that says {@code USING TIMESTAMP} is stamped already;
     * a conditional one gets its timestamp from the server.
     */
    public static boolean drawsTimestamp(Statement<?> statement) {
        if (statement.getQueryTimestamp() != Statement.NO_DEFAULT_TIMESTAMP || mayBeConditional(statement)) {
            return false;
        }
        if (statement instanceof BatchStatement batch) {
            return anyPart(batch, CqlText::drawsTimestamp);
        }
        return of(statement).drawsTimestamp;
    }

    private static boolean anyPart(BatchStatement batch, Predicate<Statement<?>> asked) {
        for (Statement<?> part : batch) {
            if (asked.test(part)) {
                return true;
            }
        }
        return false;
    }

    /** The value of an option in what creates a table; null if it has none, or one that is no text. */
    public static @Nullable String option(String ddl, String name) {
        List<CqlToken> tokens = new CqlTokenizer(ddl).tokens;
        return IntStream.range(2, tokens.size())
                .filter(at -> tokens.get(at).kind() == Kind.STRING
                        && tokens.get(at - 1).is("=")
                        && tokens.get(at - 2).is(name))
                .mapToObj(at -> tokens.get(at).text())
                .findFirst()
                .orElse(null);
    }

    /** The keyspace of names without one. Where something is bound, or read, a statement keeps the one it was prepared in. */
    public static @Nullable CqlIdentifier here(Request statement, @Nullable CqlIdentifier ofSession) {
        if (statement instanceof BoundStatement bound) {
            PreparedStatement prepared = bound.getPreparedStatement();
            for (ColumnDefinitions columns :
                    List.of(prepared.getVariableDefinitions(), prepared.getResultSetDefinitions())) {
                if (columns.size() > 0 && isOfOneKeyspace(columns)) { // a batch may bind to several
                    return columns.get(0).getKeyspace();
                }
            }
        }
        return statement.getKeyspace() == null ? ofSession : statement.getKeyspace();
    }

    private static boolean isOfOneKeyspace(ColumnDefinitions columns) {
        for (ColumnDefinition column : columns) {
            if (!column.getKeyspace().equals(columns.get(0).getKeyspace())) {
                return false;
            }
        }
        return true;
    }

    public String cql() {
        return cql;
    }

    /** Its first word, in lower case; empty if it begins otherwise. */
    public String verb() {
        return first;
    }

    public boolean reads() {
        return first.equals("select");
    }

    /** Whether it orders rows by how near a vector is, which servers do by one replica. */
    public boolean searchesVectors() {
        return searchesVectors;
    }

    public boolean changesTheSchema() {
        return SCHEMA_CHANGES.contains(first);
    }

    /** The tables that it reads, writes, or creates if they are missing. Names without a keyspace are here. */
    public List<Name> tables(@Nullable CqlIdentifier here) {
        return tables.stream().map(one -> one.in(here)).toList();
    }

    /** What it says of rows and columns, if it is one statement that writes and can be read; null otherwise. */
    public @Nullable RowText rows() {
        if (!rowsRead) {
            CqlTokenizer text = new CqlTokenizer(cql);
            rows = text.misread == null ? RowText.of(text.tokens) : null;
            rowsRead = true;
        }
        return rows;
    }

    /** Whether it writes without a condition, at the timestamp that the driver or a scope gives it. */
    public boolean writesPlainly() {
        return drawsTimestamp && !conditional;
    }

    private boolean isBatch() {
        return first.equals("begin");
    }
}
