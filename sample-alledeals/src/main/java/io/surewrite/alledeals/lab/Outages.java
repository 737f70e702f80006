package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.item.ListingDesk;
import io.surewrite.backlog.WriteBacklog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Stops the database, lists items through the desk that everybody lists at, starts it again, and watches the backlog. */
@Component
class Outages implements DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(Outages.class);

    private static final int SELLERS = 4;
    private static final Duration PACE = Duration.ofMillis(200);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    /** Nobody is left without a database because a page was closed. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final LabShop shop;
    private final ListingDesk desk;
    private final ItemService items;
    private final WriteBacklog backlog;
    private final DatabaseSwitch database;
    private volatile @Nullable Outage last;

    Outages(LabShop shop, ListingDesk desk, ItemService items, WriteBacklog backlog, DatabaseSwitch database) {
        this.shop = shop;
        this.desk = desk;
        this.items = items;
        this.backlog = backlog;
        this.database = database;
    }

    boolean canStop() {
        return database.canStop();
    }

    Optional<Outage> last() {
        return Optional.ofNullable(last);
    }

    /** Stops the database, and lets sellers list until it is to be started again; does nothing while that goes on. */
    synchronized void begin() {
        if (!database.canStop() || database.isStopped() || (last != null && !last.isOver())) {
            return; // its seller could not be looked up either
        }
        UUID seller = shop.seller();
        try {
            database.stop(this);
        } catch (IllegalStateException taken) {
            log.info("No outage: {}", taken.getMessage()); // an experiment has one
            return;
        }
        Outage outage = new Outage();
        last = outage;
        List<Thread> sellers = Stream.generate(() -> Run.play("lab-seller", () -> sell(outage, seller)))
                .limit(SELLERS)
                .toList();
        Run.play("lab-outage", () -> watch(outage, sellers));
    }

    /** Has the database started again. */
    void end() {
        last().ifPresent(Outage::wantEnd);
    }

    /** Whoever stops the shop stops no database with it. */
    @Override
    public void destroy() {
        end();
        database.start(this);
    }

    private void sell(Outage outage, UUID seller) throws InterruptedException {
        while (!outage.isEndWanted()) {
            Item item = shop.newItem(seller, "Listed without a database", 1);
            try {
                desk.list(item).ifPresentOrElse(listing -> outage.wasListed(), () -> outage.wasKept(item.id()));
            } catch (DataAccessException trouble) {
                log.info("A seller was turned away: {}", trouble.getMessage());
                outage.hasFailed();
            }
            Thread.sleep(PACE.toMillis());
        }
    }

    private void watch(Outage outage, List<Thread> sellers) throws InterruptedException {
        try {
            long end = System.nanoTime() + LONGEST.toNanos();
            while (!outage.awaitEndWanted(LOOK_EVERY) && System.nanoTime() < end) {
                outage.sizeRead(backlog.size().entries());
            }
            outage.wantEnd();
            database.start(this);
            outage.databaseStarted();
            watchTheDrain(outage, sellers);
        } finally {
            database.start(this);
            outage.end();
        }
    }

    /** Until the last seller has an answer, too, and what was kept for that one is done. */
    private void watchTheDrain(Outage outage, List<Thread> sellers) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        boolean isListing = true;
        long waiting = backlog.size().entries();
        while ((isListing || waiting > 0 || !outage.missing().isEmpty()) && System.nanoTime() < end) {
            outage.sizeRead(waiting);
            if (waiting == 0) {
                look(outage);
            }
            Thread.sleep(LOOK_EVERY.toMillis());
            isListing = sellers.stream().anyMatch(Thread::isAlive);
            waiting = backlog.size().entries();
        }
        outage.sizeRead(waiting);
    }

    private void look(Outage outage) {
        try {
            for (UUID item : outage.missing()) {
                if (items.find(item).isEmpty()) {
                    return; // the others will not be there either
                }
                outage.cameToTheShelf(item);
            }
        } catch (DataAccessException trouble) {
            log.info("The shelf could not be read: {}", trouble.getMessage());
        }
    }
}
