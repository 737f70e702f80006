package io.surewrite.alledeals.item;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.repository.Repository;

/**
 * Items by their id. There is no {@code save} on purpose: {@code cass_master_item} takes conditional writes only.
 *
 * <p>The two pages of a shelf read the master table in the order of its tokens, which is no order to a person but the
 * only one in which a page costs a page: each query starts where the last one ended and stops at its limit, nothing is
 * filtered. A shelf for a seller, a tag or "newest first" is a table of its own, as the kata teaches.
 */
interface ItemRepository extends Repository<Item, UUID>, NewItems {

    Optional<Item> findById(UUID id);

    @Query("SELECT * FROM cass_master_item LIMIT :limit")
    List<Item> firstShelf(int limit);

    @Query("SELECT * FROM cass_master_item WHERE token(item_id) > token(:after) LIMIT :limit")
    List<Item> shelfAfter(UUID after, int limit);
}
