package io.surewrite.alledeals.item;

import java.util.List;
import java.util.UUID;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.repository.Repository;

/** What is listed by tag; a page is one slice of one partition. */
interface TagItemRepository extends Repository<TagItem, MapId> {

    @Query("SELECT * FROM cass_tag_item WHERE tag = :tag AND item_id < :before LIMIT :limit")
    List<TagItem> findPage(String tag, UUID before, int limit);
}
