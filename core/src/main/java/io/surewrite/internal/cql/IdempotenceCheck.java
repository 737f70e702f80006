package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import io.surewrite.internal.cql.StatementReader.RefusedException;
import io.surewrite.internal.rows.TableColumn;
import io.surewrite.internal.rows.TableColumn.Role;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides, before the first call, whether a write may be run twice: with the same values and the same timestamp, the second run must
 * change nothing, whatever others wrote in between. It accepts nothing it does not understand, and looks at the schema of this moment.
 *
 * @param extendTtl whether a relative time to live may pass: the data then lives its time from the last attempt that reached the server
 * @param settles whether the condition of a statement may pass, as what becomes of it is settled; never that of a batch
 */
public record IdempotenceCheck(boolean extendTtl, boolean settles) {

    private static final CqlIdentifier DEFAULT_TTL = CqlIdentifier.fromInternal("default_time_to_live");

    public IdempotenceCheck(boolean extendTtl) {
        this(extendTtl, false);
    }

    /** Looks at a statement as it stands in {@code @Query}; bad text is refused as not understood. */
    public IdempotenceVerdict check(@Nullable String cql, TableLookup schema) {
        String text = cql == null ? "" : cql;
        IdempotenceVerdict found = new IdempotenceVerdict(text, extendTtl);
        try {
            CqlTokenizer read = new CqlTokenizer(text);
            if (read.misread != null) {
                throw new RefusedException(RefusalReason.NOT_UNDERSTOOD, read.misread);
            }
            new IdempotenceReader(read.tokens, found, schema, settles).read();
        } catch (RefusedException refused) {
            found.refuse(refused.reason, refused.token);
        }
        return found;
    }

    /** Looks at a write that overwrites whole columns, as inserting or saving an entity does. */
    public IdempotenceVerdict checkOverwrite(TableMetadata table, Collection<CqlIdentifier> columns) {
        IdempotenceVerdict found = checkDelete(table);
        if (!keepsRowsForever(table)) {
            found.noteDefaultTtl(() -> found.refuse(RefusalReason.RELATIVE_TTL, table.getName()));
        }
        for (CqlIdentifier column : columns) {
            Optional<Role> shape = roleOf(table, column);
            if (shape.isEmpty()) {
                found.refuse(RefusalReason.UNKNOWN_COLUMN, column);
            } else if (shape.get() == Role.LIST) {
                found.refuse(RefusalReason.LIST_OVERWRITE, column);
            }
        }
        return found;
    }

    /** Looks at a deletion that is no text, as a derived {@code deleteBy} does. */
    public IdempotenceVerdict checkDelete(TableMetadata table) {
        IdempotenceVerdict found = new IdempotenceVerdict("", extendTtl);
        found.tables().add(table);
        reasonAgainst(table).ifPresent(reason -> found.refuse(reason, table.getName()));
        return found;
    }

    static Optional<Role> roleOf(TableMetadata table, CqlIdentifier column) {
        return table.getColumn(column).map(ColumnMetadata::getType).map(TableColumn::roleOf);
    }

    /** Why no write to this table at all may be retried, if so. */
    static Optional<RefusalReason> reasonAgainst(TableMetadata table) {
        if (table.getColumns().values().stream()
                .anyMatch(column -> column.getType().equals(DataTypes.COUNTER))) {
            return Optional.of(RefusalReason.COUNTER);
        }
        // A virtual table does whatever its code does.
        return table.isVirtual() ? Optional.of(RefusalReason.NOT_A_ROW_WRITE) : Optional.empty();
    }

    /** Whether rows written without a word on it live forever; false if the metadata does not say. */
    static boolean keepsRowsForever(TableMetadata table) {
        return table.getOptions().get(DEFAULT_TTL) instanceof Number ttl && ttl.longValue() == 0;
    }
}
