package io.surewrite.alledeals.item;

import io.surewrite.retry.Idempotent;
import io.surewrite.write.WriteId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.repository.Repository;

/**
 * Items by their id. There is no {@code save} on purpose: {@code cass_master_item} takes conditional writes only.
 *
 * <p>The two pages of a shelf read the master table in the order of its tokens, which is no order to a person but the
 * only one in which a page costs a page: each query starts where the last one ended and stops at its limit, nothing is
 * filtered. A shelf for a seller, a tag or "newest first" is a table of its own, as the kata teaches.
 */
interface ItemRepository extends Repository<Item, UUID> {

    /** All but the purchases, which only the binding of a purchase needs and which may be many. */
    String SELECT = """
            SELECT item_id, user_id, item_name, item_desc, unit_price, offered_units, available_units, start_date, end_date,
                   tags, auction_finished
            FROM cass_master_item
            """;

    /** Creates the item if its id is free, in one lightweight transaction. */
    @Idempotent
    @Query("""
            INSERT INTO cass_master_item (item_id, user_id, item_name, item_desc, unit_price, offered_units, available_units,
                start_date, end_date, tags, auction_finished, write_id)
            VALUES (:#{#item.id}, :#{#item.sellerId}, :#{#item.name}, :#{#item.description}, :#{#item.unitPrice},
                :#{#item.offeredUnits}, :#{#item.availableUnits}, :#{#item.startDate}, :#{#item.endDate}, :#{#item.tags},
                :#{#item.finished}, :writeId)
            IF NOT EXISTS
            """)
    boolean create(Item item, @WriteId @Nullable UUID writeId);

    /** Repeated where there is no answer: all who buy a hot item at once wait for one read of it. */
    @Idempotent
    @Query(SELECT + "WHERE item_id = :id")
    Optional<Item> findById(UUID id);

    @Query(SELECT + "LIMIT :limit")
    List<Item> firstShelf(int limit);

    @Query(SELECT + "WHERE token(item_id) > token(:after) LIMIT :limit")
    List<Item> shelfAfter(UUID after, int limit);
}
