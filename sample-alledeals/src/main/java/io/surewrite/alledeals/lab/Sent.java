package io.surewrite.alledeals.lab;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.time.TimestampGenerator;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import io.surewrite.internal.cql.CqlText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A statement as the Lab sees it: which rows it is about, and what it says in a few words. */
final class Sent {

    private static final Set<DataType> SHOWN =
            Set.of(DataTypes.TEXT, DataTypes.INT, DataTypes.BIGINT, DataTypes.BOOLEAN);
    private static final Pattern DULL = Pattern.compile(".*(_ts|_id|owner|constraint_name|seconds|ttl|id)|.*[^a-z_].*");
    private static final int MOST_VALUES = 3;
    private static final int LONGEST_VALUE = 40;

    private final Statement<?> statement;
    private final List<Statement<?>> parts;
    private final String cql;

    private Sent(Statement<?> statement) {
        this.statement = statement;
        this.parts = statement instanceof BatchStatement batch
                ? StreamSupport.stream(batch.spliterator(), false)
                        .<Statement<?>>map(part -> part)
                        .toList()
                : List.of(statement);
        this.cql = parts.stream().map(part -> CqlText.of(part).cql()).collect(Collectors.joining("; "));
    }

    static Sent of(Statement<?> statement) {
        return new Sent(statement);
    }

    /** A key as it is found in the bytes of a statement. */
    static String bytes(UUID key) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
        bytes.putLong(key.getMostSignificantBits()).putLong(key.getLeastSignificantBits());
        return new String(bytes.array(), ISO_8859_1);
    }

    /** A key as it is found in the bytes of a statement. */
    static String bytes(String key) {
        return new String(key.getBytes(UTF_8), ISO_8859_1);
    }

    String cql() {
        return cql;
    }

    boolean isRead() {
        return parts.stream().allMatch(CqlText::isRead);
    }

    boolean isConditional() {
        return CqlText.mayBeConditional(statement);
    }

    /** Whether a key is among the values. */
    boolean contains(String key) {
        return parts.stream().flatMap(Sent::values).anyMatch(value -> value.contains(key));
    }

    /** The statement with the time that the driver would give it on leaving: it may leave later. */
    Statement<?> stamped(TimestampGenerator clock) {
        return CqlText.drawsTimestamp(statement) ? statement.setQueryTimestamp(clock.next()) : statement;
    }

    /** The statement in a few words. */
    String describe(Statement<?> sent, long startMicros, Collection<String> hidden) {
        StringBuilder text = new StringBuilder(
                parts.size() == 1
                        ? words(parts.get(0))
                        : "batch: " + parts.stream().map(Sent::words).distinct().collect(Collectors.joining(", ")));
        List<String> values =
                parts.size() == 1 && parts.get(0) instanceof BoundStatement bound ? shown(bound, hidden) : List.of();
        if (!values.isEmpty()) {
            text.append(", ").append(String.join(", ", values));
        }
        if (!isRead() && sent.getQueryTimestamp() != Statement.NO_DEFAULT_TIMESTAMP) {
            text.append(String.format(
                    Locale.ROOT, ", as of %,d ms", Math.max(0, (sent.getQueryTimestamp() + startMicros) / 1000)));
        }
        return text.toString();
    }

    private static String words(Statement<?> part) {
        CqlText text = CqlText.of(part);
        List<CqlText.Name> tables = text.tables(null);
        return tables.isEmpty()
                ? "a statement"
                : text.verb().toUpperCase(Locale.ROOT) + " " + tables.get(0).table()
                        + (CqlText.mayBeConditional(part) ? " IF …" : "");
    }

    private static List<String> shown(BoundStatement bound, Collection<String> hidden) {
        ColumnDefinitions definitions = bound.getPreparedStatement().getVariableDefinitions();
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < definitions.size() && shown.size() < MOST_VALUES; i++) {
            String name = definitions.get(i).getName().asInternal();
            if (!bound.isSet(i)
                    || bound.isNull(i)
                    || !SHOWN.contains(definitions.get(i).getType())
                    || DULL.matcher(name).matches()) {
                continue;
            }
            String value = String.valueOf(bound.getObject(i));
            if (hidden.stream().noneMatch(bytes(value)::contains)) {
                shown.add(name + " = "
                        + (value.length() > LONGEST_VALUE ? value.substring(0, LONGEST_VALUE) + "…" : value));
            }
        }
        return shown;
    }

    private static Stream<String> values(Statement<?> part) {
        if (part instanceof BoundStatement bound) {
            return bound.getValues().stream().map(Sent::bytes);
        }
        return part instanceof SimpleStatement simple
                ? simple.getPositionalValues().stream()
                        .map(value -> value instanceof UUID id ? bytes(id) : bytes(String.valueOf(value)))
                : Stream.empty();
    }

    private static String bytes(@Nullable ByteBuffer value) {
        return value == null ? "" : ISO_8859_1.decode(value.duplicate()).toString();
    }
}
