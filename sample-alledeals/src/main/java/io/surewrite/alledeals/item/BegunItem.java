package io.surewrite.alledeals.item;

import java.time.Instant;
import java.util.UUID;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/** A note that somebody began to list an item. */
@Table("cass_begun_item")
record BegunItem(
        @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED) Instant bucket,

        @PrimaryKeyColumn(name = "item_id", type = PrimaryKeyType.CLUSTERED)
        UUID itemId) {}
