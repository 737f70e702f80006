package io.surewrite.alledeals.purchase;

import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.purchase.Binding.Bound;
import io.surewrite.alledeals.purchase.Binding.Different;
import io.surewrite.alledeals.purchase.Binding.SoldOut;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteOutcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.stereotype.Component;

/**
 * Binds purchases to items. Those of one item that wait in this process go into one conditional update together, while
 * the one before is on its way: the longer the queue, the more each update sells. Between processes the update decides.
 */
@Component
class GroupBinding {

    private static final int LARGEST_GROUP = 100;

    private final Map<UUID, Queue<Waiting>> queues = new ConcurrentHashMap<>();
    private final ItemStock stocks;
    private final ItemService items;

    GroupBinding(ItemStock stocks, ItemService items) {
        this.stocks = stocks;
        this.items = items;
    }

    /**
     * Binds a purchase to its item.
     *
     * @param purchase the purchase
     * @return becomes the item's answer; fails with {@link UnknownOutcomeException} if nobody says in time what became
     *     of it, and with another exception of Spring's data access if it certainly had no effect
     */
    CompletableFuture<Binding> bind(Purchase purchase) {
        Waiting waiting = new Waiting(purchase, new CompletableFuture<>());
        boolean[] first = new boolean[1];
        queues.compute(purchase.itemId(), (id, queue) -> {
            first[0] = queue == null;
            Queue<Waiting> waitingHere = queue == null ? new ArrayDeque<>() : queue;
            waitingHere.add(waiting);
            return waitingHere;
        });
        if (first[0]) {
            nextGroup(purchase.itemId(), null);
        }
        return waiting.answer();
    }

    /**
     * Looks whether a purchase is bound, without binding it.
     *
     * @param purchase the purchase
     * @return becomes whether its units are taken; false is final as far as nobody sends the purchase any more
     */
    CompletionStage<Boolean> isBound(Purchase purchase) {
        return stocks.readFinal(purchase.itemId()).thenApply(stock -> stock.has(purchase));
    }

    /** Goes on until nobody waits for the item. */
    private void nextGroup(UUID itemId, @Nullable Stock known) {
        List<Waiting> group = takeGroup(itemId);
        if (group.isEmpty()) {
            return;
        }
        // Whatever is thrown on the way reaches those who wait.
        CompletionStage<Stock> stock = CompletableFuture.completedStage(itemId)
                .thenCompose(id -> known == null ? stocks.read(id) : CompletableFuture.completedStage(known));
        var unused = stock.thenCompose(now -> bind(itemId, group, now)).whenCompleteAsync((after, failure) -> {
            if (failure != null) {
                group.forEach(waiting -> waiting.fail(failure));
            }
            nextGroup(itemId, failure == null ? after : null);
        });
    }

    /** An empty group ends the queue: who comes next begins another one. */
    private List<Waiting> takeGroup(UUID itemId) {
        List<Waiting> group = new ArrayList<>();
        queues.computeIfPresent(itemId, (id, queue) -> {
            while (!queue.isEmpty() && group.size() < LARGEST_GROUP) {
                group.add(queue.remove());
            }
            return group.isEmpty() ? null : queue;
        });
        return group;
    }

    /** Answers what the stock answers, sends the rest, and becomes the stock afterwards. */
    private CompletionStage<Stock> bind(UUID itemId, List<Waiting> group, Stock stock) {
        Map<UUID, Waiting> taking = new LinkedHashMap<>();
        int left = stock.available();
        items.sawAvailable(itemId, left);
        for (Waiting waiting : group) {
            Purchase purchase = waiting.purchase();
            Waiting same = taking.get(purchase.id());
            if (same != null) {
                waiting.follow(same);
            } else if (stock.has(purchase)) {
                waiting.answer().complete(stock.matches(purchase) ? new Bound(false) : new Different());
            } else if (purchase.quantity() > left) {
                waiting.answer().complete(new SoldOut(left));
            } else {
                left -= purchase.quantity();
                taking.put(purchase.id(), waiting);
            }
        }
        if (taking.isEmpty()) {
            return CompletableFuture.completedStage(stock);
        }
        List<Waiting> hopeful = List.copyOf(taking.values());
        List<Purchase> purchases = hopeful.stream().map(Waiting::purchase).toList();
        return stocks.take(itemId, stock, purchases)
                .thenCompose(outcome -> heard(outcome, itemId, hopeful, stock.without(purchases)));
    }

    private CompletionStage<Stock> heard(WriteOutcome outcome, UUID itemId, List<Waiting> taking, Stock after) {
        if (outcome instanceof WriteOutcome.Applied) {
            items.sawAvailable(itemId, after.available());
            taking.forEach(waiting -> waiting.answer().complete(new Bound(true)));
            return CompletableFuture.completedStage(after);
        } else if (outcome instanceof WriteOutcome.Rejected) {
            return stocks.read(itemId).thenCompose(now -> rejected(itemId, taking, now));
        } else if (outcome instanceof WriteOutcome.Failed failed) {
            return CompletableFuture.failedStage(
                    new DataAccessResourceFailureException("The purchase has no effect", failed.cause()));
        }
        Throwable cause = outcome instanceof WriteOutcome.Unknown unknown ? unknown.cause() : null;
        return CompletableFuture.failedStage(
                new UnknownOutcomeException("Nobody says whether the purchase is bound", cause));
    }

    /**
     * If all are in the stock now, an earlier run of the update put them there, of which nobody heard. All, not one: another
     * process may have bound one of them, for the same buyer who asked twice. Else somebody else sold some.
     */
    private CompletionStage<Stock> rejected(UUID itemId, List<Waiting> taking, Stock now) {
        if (taking.stream().allMatch(waiting -> now.matches(waiting.purchase()))) {
            taking.forEach(waiting -> waiting.answer().complete(new Bound(true)));
            return CompletableFuture.completedStage(now);
        }
        return bind(itemId, taking, now);
    }

    /** A purchase, and who waits for it. */
    private record Waiting(Purchase purchase, CompletableFuture<Binding> answer) {

        /** Two callers with one purchase: the second hears what the first hears. */
        void follow(Waiting first) {
            boolean isSame = first.purchase.quantity() == purchase.quantity();
            var unused = first.answer.whenComplete((heard, failure) -> {
                if (failure != null) {
                    fail(failure);
                } else if (heard instanceof Bound) {
                    answer.complete(isSame ? new Bound(false) : new Different());
                } else {
                    answer.complete(heard);
                }
            });
        }

        void fail(Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }
}
