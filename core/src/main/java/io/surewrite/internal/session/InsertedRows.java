package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.cql.RowText;
import io.surewrite.internal.cql.RowText.Term;
import io.surewrite.write.RowWrittenTwiceException;
import io.surewrite.write.WriteScope;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one attempt of a logical write inserts. All carry its timestamp, and Cassandra settles writes of one timestamp
 * cell by cell: a second, different insert of a row would leave a mix of both. Overwrites see to that themselves.
 */
final class InsertedRows {

    /** Most attempts insert no other: it is read when another one comes. */
    private @Nullable Runnable first;

    /** What is inserted, by session, table and key. */
    private final Map<List<Object>, Map<CqlIdentifier, Object>> rows = new HashMap<>();

    /** Notes what is about to be sent, and refuses a row that the attempt has inserted otherwise before. */
    static void admit(@Nullable WriteScope scope, Statement<?> statement, DriverContext session) {
        if (scope == null || statement.getQueryTimestamp() != Statement.NO_DEFAULT_TIMESTAMP) {
            return; // at a timestamp of its own it ties with nothing
        }
        if (statement instanceof BatchStatement batch) {
            batch.forEach(part -> admit(scope, (Statement<?>) part, session));
            return;
        }
        CqlText text = CqlText.of(statement);
        if (text.verb().equals("insert") && text.writesPlainly()) {
            InsertedRows noted = scope.notes().get(InsertedRows.class, InsertedRows::new);
            noted.add(() -> noted.note(text.rows(), statement, session));
        }
    }

    private synchronized void add(Runnable insert) {
        if (first == null) {
            first = insert;
            return;
        }
        if (rows.isEmpty()) {
            first.run();
        }
        insert.run();
    }

    private void note(@Nullable RowText says, Statement<?> statement, DriverContext session) {
        TableMetadata table = says == null ? null : table(says.table(), statement, session);
        if (says == null || table == null) {
            return;
        }
        Map<CqlIdentifier, Object> values = new HashMap<>();
        says.values()
                .forEach((column, term) -> table.getColumn(column)
                        .map(found -> term.encoded(found.getType(), statement, session))
                        .ifPresent(value -> values.put(column, value)));
        List<Object> row = new ArrayList<>(List.of(session, table.getKeyspace(), table.getName()));
        for (ColumnMetadata key : table.getPrimaryKey()) {
            Object value = values.remove(key.getName());
            if (value == null) {
                return; // nobody sees which row it is
            }
            row.add(value);
        }
        Map<CqlIdentifier, Object> before = rows.computeIfAbsent(row, added -> new HashMap<>());
        values.forEach((column, value) -> {
            if (!isSame(
                    before.getOrDefault(column, value),
                    value,
                    table.getColumns().get(column),
                    session)) {
                throw new RowWrittenTwiceException(table.getName());
            }
        });
        before.putAll(values);
    }

    /** The bytes of a set are in the order of the set that was given. */
    private static boolean isSame(Object one, Object other, @Nullable ColumnMetadata column, DriverContext session) {
        if (one.equals(other) || column == null || one == Term.NULL || other == Term.NULL) {
            return one.equals(other);
        }
        TypeCodec<Object> codec = session.getCodecRegistry().codecFor(column.getType());
        return Objects.equals(
                codec.decode(((ByteBuffer) one).duplicate(), session.getProtocolVersion()),
                codec.decode(((ByteBuffer) other).duplicate(), session.getProtocolVersion()));
    }

    /** Null if it is not known, as with a mock. */
    private static @Nullable TableMetadata table(CqlText.Name name, Statement<?> statement, DriverContext session) {
        if (!(session instanceof InternalDriverContext driver)) {
            return null;
        }
        CqlIdentifier keyspace = name.in(
                        CqlText.here(statement, driver.getPoolManager().getKeyspace()))
                .keyspace();
        Metadata metadata = driver.getMetadataManager().getMetadata();
        return Optional.ofNullable(keyspace)
                .flatMap(metadata::getKeyspace)
                .flatMap(found -> found.getTable(name.table()))
                .orElse(null);
    }
}
