package io.surewrite.alledeals.item;

import io.surewrite.retry.Idempotent;
import java.time.Instant;
import java.util.List;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.repository.Repository;

/** Which items somebody began to list, and when. */
interface BegunItemRepository extends Repository<BegunItem, MapId> {

    @Idempotent(extendTtl = true)
    BegunItem save(BegunItem begun);

    List<BegunItem> findByBucket(Instant bucket);
}
