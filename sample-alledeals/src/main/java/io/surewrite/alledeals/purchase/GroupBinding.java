package io.surewrite.alledeals.purchase;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.web.Gathering;
import io.surewrite.alledeals.web.ProblemException;
import io.surewrite.write.ConditionalWrites;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.cql.QueryOptions;
import org.springframework.stereotype.Component;

/**
 * Binds purchases to items. Those of one item that wait in this process go into one conditional update together, while
 * the one before is on its way: the longer the queue, the more each update sells. Between processes the update decides.
 */
@Component
class GroupBinding {

    private static final int LARGEST_GROUP = 100;

    private final Gathering<UUID, Waiting> queues = new Gathering<>(1, LARGEST_GROUP, this::bindAll);
    private final StockRepository stocks;
    private final ItemService items;
    private final QueryOptions serially;

    GroupBinding(StockRepository stocks, ItemService items, CqlSession session) {
        this.stocks = stocks;
        this.items = items;
        this.serially = QueryOptions.builder()
                .consistencyLevel(DefaultConsistencyLevel.valueOf(session.getContext()
                        .getConfig()
                        .getProfile(ConditionalWrites.PROFILE)
                        .getString(DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY)))
                .build();
    }

    /**
     * Binds a purchase to its item.
     *
     * @return whether its units are taken by this call, and not by an earlier one
     * @throws ProblemException if not enough is left, or a purchase with this id took another number of units
     * @throws io.surewrite.write.UnknownOutcomeException if nobody says in time what became of it; another exception of
     *     Spring's data access if it certainly had no effect
     */
    boolean bind(Purchase purchase) {
        Waiting waiting = new Waiting(purchase);
        queues.run(purchase.itemId(), waiting);
        if (waiting.refusal != null) {
            throw waiting.refusal;
        }
        return waiting.isNew;
    }

    /** Reads the stock and ends all updates that are half done: what it does not show by now was not applied. */
    Stock finalStock(UUID itemId) {
        return stock(itemId, serially);
    }

    private Stock stock(UUID itemId, QueryOptions options) {
        return stocks.find(itemId, options).orElse(new Stock(itemId, 0, null));
    }

    /** What others took first is in the stock at the next look. */
    private void bindAll(UUID itemId, List<Waiting> group) {
        List<Waiting> open = group;
        while (!open.isEmpty()) {
            open = bind(itemId, open, stock(itemId, QueryOptions.empty()));
        }
    }

    /** Answers what the stock answers, sends the rest, and returns whom a later stock answers. */
    private List<Waiting> bind(UUID itemId, List<Waiting> group, Stock stock) {
        Map<UUID, Waiting> taking = new LinkedHashMap<>();
        List<Waiting> later = new ArrayList<>();
        int left = stock.available();
        items.sawAvailable(itemId, left);
        for (Waiting waiting : group) {
            Purchase purchase = waiting.purchase;
            if (stock.has(purchase)) {
                waiting.refusal = stock.matches(purchase) ? null : PurchaseRules.conflict(purchase.id());
            } else if (taking.containsKey(purchase.id())) {
                later.add(waiting);
            } else if (purchase.quantity() > left) {
                waiting.refusal = PurchaseRules.soldOut(purchase.quantity(), left);
            } else {
                left -= purchase.quantity();
                taking.put(purchase.id(), waiting);
            }
        }
        Map<UUID, Integer> units = taking.values().stream()
                .map(waiting -> waiting.purchase)
                .collect(Collectors.toMap(Purchase::id, Purchase::quantity));
        if (units.isEmpty()) {
            return later;
        } else if (stocks.take(itemId, stock.available(), left, left == 0, units, null)) {
            items.sawAvailable(itemId, left);
            taking.values().forEach(waiting -> waiting.isNew = true);
        } else {
            later.addAll(taking.values());
        }
        return later;
    }

    /** A purchase, and what who waits for it is told. */
    private static final class Waiting {

        private final Purchase purchase;
        private boolean isNew;
        private @Nullable ProblemException refusal;

        Waiting(Purchase purchase) {
            this.purchase = purchase;
        }
    }
}
