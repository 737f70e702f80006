package io.surewrite.alledeals.item;

import java.util.List;
import java.util.UUID;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.repository.Repository;

/** What sellers list now; a page is one slice of one partition. */
interface UserItemRepository extends Repository<UserItem, MapId> {

    @Query("SELECT * FROM cass_user_item WHERE user_id = :userId AND item_id < :before LIMIT :limit")
    List<UserItem> findPage(UUID userId, UUID before, int limit);
}
