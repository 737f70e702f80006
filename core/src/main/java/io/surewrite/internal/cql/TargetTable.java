package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import io.surewrite.internal.rows.TableColumn;
import io.surewrite.internal.rows.TableColumn.Role;
import java.util.Optional;

/** What the check asks about the table a statement writes. */
record TargetTable(TableMetadata metadata) {

    private static final CqlIdentifier DEFAULT_TTL = CqlIdentifier.fromInternal("default_time_to_live");

    Optional<Role> shapeOf(CqlIdentifier column) {
        return metadata.getColumn(column).map(ColumnMetadata::getType).map(TableColumn::roleOf);
    }

    /** Why no write to this table at all may be retried, if so. */
    Optional<RefusalReason> reasonAgainst() {
        if (metadata.getColumns().values().stream()
                .anyMatch(column -> column.getType().equals(DataTypes.COUNTER))) {
            return Optional.of(RefusalReason.COUNTER);
        }
        // A virtual table does whatever its code does.
        return metadata.isVirtual() ? Optional.of(RefusalReason.NOT_A_ROW_WRITE) : Optional.empty();
    }

    /** Whether rows written without a word on it live forever; false if the metadata does not say. */
    boolean keepsRowsForever() {
        return metadata.getOptions().get(DEFAULT_TTL) instanceof Number ttl && ttl.longValue() == 0;
    }
}
