package io.surewrite.verification.faults;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/**
 * A row of plain columns.
 *
 * @param id of the row
 * @param label what at most one row has
 * @param note names the write
 * @param remark names the write, or is null
 */
@Table("noted_entry")
public record NotedEntry(
        @PrimaryKey UUID id,
        @Nullable String label,
        @Nullable String note,
        @Nullable String remark) implements Wanting {

    static final String DDL = "CREATE TABLE noted_entry (id uuid PRIMARY KEY, label text, note text, remark text)";

    /** {@return the row as another write makes it} */
    static NotedEntry written(UUID id, String label) {
        UUID write = UUID.randomUUID();
        return new NotedEntry(
                id, label, write.toString(), write.getLeastSignificantBits() % 2 == 0 ? null : write.toString());
    }

    @Override
    public String content() {
        return label + " " + note + " " + remark;
    }
}
