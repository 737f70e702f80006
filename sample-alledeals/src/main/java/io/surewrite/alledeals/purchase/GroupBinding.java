package io.surewrite.alledeals.purchase;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import io.surewrite.alledeals.web.Gathering;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.UnknownOutcomeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
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
    private final QueryOptions serially;

    GroupBinding(StockRepository stocks, CqlSession session) {
        this.stocks = stocks;
        this.serially = QueryOptions.builder()
                .consistencyLevel(DefaultConsistencyLevel.valueOf(session.getContext()
                        .getConfig()
                        .getProfile(ConditionalWrites.PROFILE)
                        .getString(DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY)))
                .build();
    }

    /**
     * Binds a purchase to its item; true if its units are taken by this call, and not by an earlier one. What fails with
     * another exception than that of an unknown outcome had no effect.
     */
    boolean bind(Purchase purchase) {
        Waiting waiting = new Waiting(purchase);
        queues.run(purchase.itemId(), waiting);
        if (waiting.failure != null) {
            throw waiting.failure;
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

    /** Each is told its own end: what becomes of one says nothing of the others. */
    private void bindAll(UUID itemId, List<Waiting> group) {
        List<Waiting> open = group;
        while (!open.isEmpty()) {
            Stock stock;
            try {
                stock = stock(itemId, QueryOptions.empty());
            } catch (RuntimeException unread) {
                open.forEach(waiting -> waiting.failure = waiting.isSent
                        ? new UnknownOutcomeException("Nobody says whether it is bound", unread)
                        : unread);
                return;
            }
            open = bind(itemId, open, stock);
        }
    }

    /** Answers what the stock answers, sends the rest, and returns whom a later stock answers. */
    private List<Waiting> bind(UUID itemId, List<Waiting> group, Stock stock) {
        Map<UUID, Integer> units = new LinkedHashMap<>();
        List<Waiting> taking = new ArrayList<>();
        List<Waiting> later = new ArrayList<>();
        int left = stock.available();
        for (Waiting waiting : group) {
            Purchase purchase = waiting.purchase;
            if (stock.has(purchase)) {
                waiting.failure = stock.matches(purchase) ? null : PurchaseRules.conflict(purchase.id());
            } else if (purchase.quantity() > stock.available()) {
                waiting.failure = PurchaseRules.soldOut(purchase.quantity(), stock.available());
            } else if (units.containsKey(purchase.id())) {
                waiting.isSent = true; // somebody has asked twice
                later.add(waiting);
            } else if (purchase.quantity() > left) {
                later.add(waiting); // what others here only hope for may be left for it
            } else {
                waiting.isSent = true;
                left -= purchase.quantity();
                units.put(purchase.id(), purchase.quantity());
                taking.add(waiting);
            }
        }
        if (taking.isEmpty()) {
            return later;
        }
        try {
            boolean taken = stocks.take(itemId, stock.available(), left, left == 0, units, null);
            taking.forEach(waiting -> waiting.isNew = taken);
            if (!taken) {
                taking.forEach(waiting -> waiting.isSent = false);
                later.addAll(taking);
            }
        } catch (UnknownOutcomeException unknown) {
            if (isOver(itemId, stock)) {
                taking.forEach(waiting -> waiting.isNew = true);
                later.addAll(taking);
            } else {
                taking.forEach(waiting -> waiting.failure = unknown);
            }
        } catch (RuntimeException failure) {
            taking.forEach(waiting -> waiting.failure = failure);
        }
        return later;
    }

    /** No unit comes back: once some are gone, an update that wants all of them is there already, or never will be. */
    private boolean isOver(UUID itemId, Stock before) {
        try {
            return finalStock(itemId).available() != before.available();
        } catch (RuntimeException unread) {
            return false;
        }
    }

    /** A purchase, and what who waits for it is told. */
    private static final class Waiting {

        private final Purchase purchase;

        /** Whether an update with it may be in effect. */
        private boolean isSent;

        /** Whether it was this call that sent it. */
        private boolean isNew;

        private @Nullable RuntimeException failure;

        Waiting(Purchase purchase) {
            this.purchase = purchase;
        }
    }
}
