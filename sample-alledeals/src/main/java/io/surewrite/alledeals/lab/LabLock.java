package io.surewrite.alledeals.lab;

import io.surewrite.write.WriteId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/** A row with a lock and a revision. */
@Table("cass_lab_lock")
record LabLock(
        @PrimaryKey String id,
        boolean lock,
        @Version @Nullable Long revision,
        @WriteId @Column("write_id") @Nullable UUID writeId) {}
