package io.surewrite.alledeals.item;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.repository.Repository;

/** The requests to list items that came while the database was away, as far as they have arrived. */
interface ListingRequestRepository extends Repository<ListingRequest, MapId> {

    List<ListingRequest> findByBucket(Instant bucket);

    Optional<ListingRequest> findByBucketAndItemId(Instant bucket, UUID itemId);
}
