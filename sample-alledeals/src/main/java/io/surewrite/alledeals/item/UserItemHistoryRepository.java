package io.surewrite.alledeals.item;

import java.util.List;
import java.util.UUID;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.repository.Repository;

/** What sellers ever listed, by month; a page is one slice of one partition. */
interface UserItemHistoryRepository extends Repository<UserItemHistory, MapId> {

    @Query("SELECT * FROM cass_user_item_history"
            + " WHERE user_id = :userId AND year_month = :yearMonth AND item_id < :before LIMIT :limit")
    List<UserItemHistory> findPage(UUID userId, String yearMonth, UUID before, int limit);
}
