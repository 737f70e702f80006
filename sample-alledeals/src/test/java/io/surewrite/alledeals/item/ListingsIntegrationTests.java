package io.surewrite.alledeals.item;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.alledeals.ShopTest;
import io.surewrite.alledeals.begun.Reconciler;
import io.surewrite.alledeals.begun.TimeBuckets;
import io.surewrite.alledeals.item.Listings.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.cassandra.core.CassandraOperations;

/** Oracles 8 and 9: listings follow the master table, in its order, and for their time only. */
class ListingsIntegrationTests extends ShopTest {

    @Autowired
    private CqlSession session;

    @Autowired
    private CassandraOperations cassandra;

    @Autowired
    private ItemRepository items;

    @Autowired
    private BegunItemRepository begun;

    @Autowired
    private Reconciler reconciler;

    private Listings listings;
    private UUID seller;
    private Item item;

    @BeforeEach
    void listAnItem() {
        listings = new Listings(cassandra, session, new ListingTerm(), clock);
        seller = registered("seller");
        item = items.findById(listed(item(seller))).orElseThrow();
    }

    @Test
    void oracle8NeverRevivesAnExpiredListing() {
        expireListings();
        clock.travel(ListingTerm.LISTED_FOR);

        listings.write(new State(left(item, 3), laterVersion()));

        assertThat(count("cass_user_item WHERE user_id = " + seller)).isZero();
        assertThat(count("cass_tag_item WHERE tag = 'brass' AND item_id = " + item.id()))
                .isZero();
    }

    @Test
    void oracle8WritesNothingInTheLastMinute() {
        expireListings();
        clock.travel(ListingTerm.LISTED_FOR.minus(ListingTerm.LAST_CALL).plusSeconds(1));

        listings.write(new State(left(item, 3), laterVersion()));

        assertThat(count("cass_user_item WHERE user_id = " + seller)).isZero();
    }

    @Test
    void oracle8WritesALaterStateWithTheTimeThatIsLeft() {
        clock.travel(Duration.ofDays(29));
        listings.write(new State(left(item, 3), laterVersion()));

        assertThat(session.execute("SELECT ttl(available_units) FROM cass_user_item WHERE user_id = ?", seller)
                        .one()
                        .getInt(0))
                .isLessThanOrEqualTo((int) Duration.ofDays(1).toSeconds())
                .isGreaterThan((int) Duration.ofHours(23).toSeconds());
    }

    @Test
    void oracle9KeepsTheHistoryWhenTheListingIsGone() {
        clock.travel(ListingTerm.LISTED_FOR.plusDays(1));
        expireListings();

        listings.write(new State(left(item, 0), laterVersion()));

        assertThat(count("cass_user_item WHERE user_id = " + seller)).isZero();
        assertThat(session.execute(
                                "SELECT available_units, auction_finished FROM cass_user_item_history"
                                        + " WHERE user_id = ? AND year_month = ?",
                                seller,
                                month())
                        .one()
                        .getFormattedContents())
                .isEqualTo("[available_units:0, auction_finished:true]");
    }

    @Test
    void anOlderStateThatArrivesLateCoversNoNewerOne() {
        long version = laterVersion();
        listings.write(new State(left(item, 3), version));

        listings.write(new State(left(item, 7), version - 1));

        for (String table : List.of(
                "cass_user_item WHERE user_id = " + seller,
                "cass_tag_item WHERE tag = 'brass' AND item_id = " + item.id(),
                "cass_user_item_history WHERE user_id = %s AND year_month = '%s'".formatted(seller, month()))) {
            assertThat(session.execute("SELECT available_units FROM " + table)
                            .one()
                            .getInt(0))
                    .as(table)
                    .isEqualTo(3);
        }
    }

    @Test
    void theReconcilerFinishesAListingThatACrashLeftAfterTheMasterRow() {
        expireListings();
        session.execute("DELETE FROM cass_user_item_history WHERE user_id = ? AND year_month = ?", seller, month());
        UUID crashed = new UUID(
                item.id().getMostSignificantBits() ^ 1L << 60, item.id().getLeastSignificantBits());
        Item left = new Item(
                crashed,
                seller,
                "Half listed",
                item.description(),
                item.unitPrice(),
                4,
                4,
                item.startDate(),
                item.endDate(),
                Set.of("half-listed"),
                false);
        begun.save(new BegunItem(TimeBuckets.of(clock.instant()), crashed));
        assertThat(items.create(left, null)).isTrue();
        assertThat(listings.areUpToDate(crashed)).isFalse();

        reconciler.reconcile();

        assertThat(listings.areUpToDate(crashed)).isTrue();
        assertThat(count("cass_tag_item WHERE tag = 'half-listed' AND item_id = " + crashed))
                .isOne();
        assertThat(count("cass_user_item WHERE user_id = %s AND item_id = %s".formatted(seller, crashed)))
                .isOne();
    }

    /** Deletes at the time they were written, as if they had run out. */
    private void expireListings() {
        session.execute("DELETE FROM cass_user_item USING TIMESTAMP 1 WHERE user_id = " + seller);
        long written = masterVersion();
        session.execute("DELETE FROM cass_user_item USING TIMESTAMP %d WHERE user_id = %s".formatted(written, seller));
        session.execute("DELETE FROM cass_tag_item USING TIMESTAMP %d WHERE tag = 'brass' AND item_id = %s"
                .formatted(written, item.id()));
    }

    private long masterVersion() {
        return session.execute("SELECT writetime(available_units) FROM cass_master_item WHERE item_id = ?", item.id())
                .one()
                .getLong(0);
    }

    private long laterVersion() {
        return masterVersion() + 1000;
    }

    private static Item left(Item item, int available) {
        return new Item(
                item.id(),
                item.sellerId(),
                item.name(),
                item.description(),
                item.unitPrice(),
                item.offeredUnits(),
                available,
                item.startDate(),
                item.endDate(),
                item.tags(),
                available == 0);
    }

    private String month() {
        return Instant.now().toString().substring(0, 7);
    }

    private long count(String from) {
        return session.execute("SELECT count(*) FROM " + from).one().getLong(0);
    }
}
