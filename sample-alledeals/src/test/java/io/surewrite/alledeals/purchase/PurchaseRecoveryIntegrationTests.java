package io.surewrite.alledeals.purchase;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.begun.Reconciler;
import io.surewrite.alledeals.begun.TimeBuckets;
import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.lab.BadNetwork;
import io.surewrite.alledeals.lab.BadNetwork.Loss;
import io.surewrite.testsupport.LongLane;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationEventPublisher;

/** Oracles 6 and 7: what crashes, repeated events and lost answers leave behind. */
class PurchaseRecoveryIntegrationTests extends PurchaseTest {

    @Autowired
    private PurchaseRepository purchases;

    @Autowired
    private GroupBinding binding;

    @Autowired
    private ItemService items;

    @Autowired
    private Reconciler reconciler;

    @Autowired
    private UnfinishedPurchases unfinished;

    @Autowired
    private BadNetwork network;

    @Autowired
    private ApplicationEventPublisher events;

    @Test
    void oracle6AnUnboundPurchaseIsGoneAfterItsTimeToLive() {
        Purchase purchase = of(listed(seller, 10));
        purchases.savePurchases(List.of(purchase), Duration.ofSeconds(2), bucket());
        assertThat(purchases.findById(id)).hasValueSatisfying(saved -> {
            assertThat(saved.status()).isEqualTo(PurchaseStatus.CREATED);
            assertThat(saved.expiresIn()).isLessThanOrEqualTo(2);
        });

        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> get("/api/purchases/" + id).expectStatus().isNotFound());

        unfinished.finish(bucket());
        get("/api/purchases/" + id).expectStatus().isNotFound();
        assertEverywhere(purchase.itemId(), 10, false);
    }

    @Test
    void oracle6ACrashAfterTheBindIsCompletedByTheReconciler() {
        Purchase purchase = crashedAfterBind(listed(seller, 10));

        Awaitility.await().atMost(Duration.ofSeconds(15)).untilAsserted(() -> {
            reconciler.reconcile();
            assertCompleted(id);
        });

        assertEverywhere(purchase.itemId(), 8, false);
        assertThat(contents(id)).contains("status:'COMPLETED'", "quantity:2");
    }

    @Test
    void oracle6ACrashAfterTheBindIsCompletedByTheBuyersNextTry() {
        Purchase purchase = crashedAfterBind(listed(seller, 2));

        buy(purchase.itemId(), id, buyer, 2).expectStatus().isOk();

        assertCompleted(id);
        assertEverywhere(purchase.itemId(), 0, true);
    }

    @Test
    void oracle6ACrashAfterTheCompletionLeavesNoListingBehind() {
        Purchase purchase = crashedAfterBind(listed(seller, 10));
        purchases.completePurchases(List.of(purchase));

        assertThat(unfinished.finish(bucket())).isPositive();

        assertEverywhere(purchase.itemId(), 8, false);
        assertThat(unfinished.finish(bucket())).isZero();
    }

    @Test
    void oracle6ACrashBeforeTheBindTakesNothing() {
        Purchase purchase = of(listed(seller, 10));
        purchases.savePurchases(List.of(purchase), Duration.ofHours(24), bucket());

        unfinished.finish(bucket());

        assertThat(purchases.findById(id)).map(Purchase::isCompleted).contains(false);
        assertEverywhere(purchase.itemId(), 10, false);
        buy(purchase.itemId(), id, buyer, 2).expectStatus().isCreated();
    }

    @Test
    void oracle6TheEventTwiceOrOutOfOrderLeavesIdenticalRows() {
        Purchase purchase = crashedAfterBind(listed(seller, 10));
        PurchaseBoundEvent event = new PurchaseBoundEvent(purchase);
        events.publishEvent(event);
        String once = contents(id);

        events.publishEvent(event);
        purchases.savePurchases(List.of(purchase), Duration.ofHours(24), bucket()); // step 1, late
        purchases.completePurchases(List.of(purchase));
        purchases.savePurchases(List.of(purchase), Duration.ofHours(24), bucket());

        assertThat(contents(id)).isEqualTo(once);
        assertCompleted(id);
        assertEverywhere(purchase.itemId(), 8, false);
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void oracle7ATimeoutBeforeOrAfterTheApplyEndsInOnePurchase(Loss loss) {
        UUID item = listed(seller, 10);
        network.lose(item, List.of(loss));

        buy(item, id, buyer, 2).expectStatus().isCreated();

        assertThat(purchasesOf(item)).isEqualTo(Map.of(id, 2));
        assertEverywhere(item, 8, false);
        assertCompleted(id);
    }

    /** Without one answer the row may tell; if it does not, the same request again does. */
    @ParameterizedTest
    @EnumSource(Loss.class)
    @LongLane
    void oracle7AnUnknownOutcomeIsSettledByTheSameRequestAgain(Loss loss) {
        UUID item = listed(seller, 10);
        network.lose(item, Collections.nCopies(1000, loss));

        var first = buy(item, id, buyer, 2);
        network.heal(item);

        if (loss == Loss.REQUEST) {
            refused(first, 503, "outcome-unknown");
        } else {
            assertThat(first.returnResult(String.class).getStatus().value()).isIn(201, 503);
        }
        int answer =
                buy(item, id, buyer, 2).returnResult(String.class).getStatus().value();

        assertThat(answer).isIn(200, 201);
        assertThat(purchasesOf(item)).isEqualTo(Map.of(id, 2));
        assertEverywhere(item, 8, false);
        assertCompleted(id);
    }

    @Test
    void oracle7ALostAnswerBesideAnotherProcessSellsNothingTwice() {
        UUID item = listed(seller, 10);
        var losses = network.lose(item, Collections.nCopies(1000, Loss.REQUEST));
        Purchase mine = of(item);
        Purchase other =
                Purchase.created(Uuids.timeBased(), item, buyer, items.get(item).unitPrice(), 1);

        var answer = CompletableFuture.supplyAsync(() -> binding.bind(mine));
        Awaitility.await().until(() -> losses.size() < 1000);
        // Another process binds the same purchase, and one of its own, while this one still waits to try again.
        ResultSet bound = session.execute("UPDATE cass_master_item SET available_units = 7, auction_finished = false,"
                + " purchases = purchases + {%s: 2, %s: 1} WHERE item_id = %s IF available_units = 10"
                        .formatted(id, other.id(), item));
        assertThat(bound.wasApplied()).isTrue();
        network.heal(item);

        assertThat(answer).succeedsWithin(Duration.ofSeconds(10));
        assertThat(binding.bind(mine)).isFalse();
        assertThat(purchasesOf(item)).isEqualTo(Map.of(id, 2, other.id(), 1));
        assertBalanced(item);
    }

    private Purchase crashedAfterBind(UUID item) {
        Purchase purchase = of(item);
        purchases.savePurchases(List.of(purchase), Duration.ofHours(24), bucket());
        assertThat(binding.bind(purchase)).isTrue();
        return purchase;
    }

    private Purchase of(UUID itemId) {
        Item item = items.get(itemId);
        return Purchase.created(id, itemId, buyer, item.unitPrice(), 2);
    }

    private Instant bucket() {
        return TimeBuckets.of(clock.instant());
    }
}
