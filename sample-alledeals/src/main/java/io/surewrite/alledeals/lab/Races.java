package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.lab.Race.Kind;
import io.surewrite.alledeals.purchase.PurchaseService;
import io.surewrite.alledeals.web.ProblemException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Lets buyers race for one item, each in a thread and through the service that everybody buys through. */
@Component
class Races {

    private static final Logger log = LoggerFactory.getLogger(Races.class);

    private static final int REMEMBERED = 20;
    private static final long LOOK_EVERY_MILLIS = 15;
    private static final int ATTEMPTS = 5;

    private final ConcurrentSkipListMap<UUID, Race> races = new ConcurrentSkipListMap<>();
    private final LabShop shop;
    private final ItemService items;
    private final PurchaseService purchases;

    Races(LabShop shop, ItemService items, PurchaseService purchases) {
        this.shop = shop;
        this.items = items;
        this.purchases = purchases;
    }

    /** Starts a race; its id is its item's. */
    Race start(int buyers, int units) {
        List<UUID> shoppers = IntStream.range(0, buyers).mapToObj(shop::buyer).toList();
        Item item = shop.listItem("Race of %d for %d".formatted(buyers, units), units);
        Race race = new Race(item, buyers);
        races.put(item.id(), race);
        while (races.size() > REMEMBERED) {
            races.pollFirstEntry();
        }
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(buyers);
        shoppers.forEach(buyer -> Run.play("lab-buyer", () -> {
            go.await();
            try {
                race.came(buy(race, buyer));
            } finally {
                running.countDown();
            }
        }));
        Run.play("lab-watch", () -> watch(race, running));
        go.countDown();
        return race;
    }

    Optional<Race> find(UUID id) {
        return Optional.ofNullable(races.get(id));
    }

    /** Buys, and asks again with the same id while nobody knows what became of it. */
    private Kind buy(Race race, UUID buyer) {
        UUID purchase = Uuids.timeBased();
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            try {
                purchases.purchase(purchase, race.id(), buyer, 1);
                return Kind.BOUGHT;
            } catch (ProblemException refusal) {
                return Kind.SOLD_OUT;
            } catch (RuntimeException trouble) {
                log.info("A buyer was left in the dark at attempt {}", attempt, trouble);
            }
        }
        return Kind.UNKNOWN;
    }

    /** Reads the stock until everybody has an answer, and once more. */
    private void watch(Race race, CountDownLatch running) throws InterruptedException {
        try {
            while (!running.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                look(race);
            }
            for (int attempt = 1; attempt <= ATTEMPTS && !look(race); attempt++) {
                Thread.sleep(LOOK_EVERY_MILLIS);
            }
        } finally {
            race.end();
        }
    }

    /** A crowd at one item can make a read of its stock time out, too; the race goes on, whatever it is. */
    private boolean look(Race race) {
        try {
            race.stockRead(items.get(race.id()).availableUnits());
            return true;
        } catch (RuntimeException trouble) {
            log.info("The stock of a race could not be read", trouble);
            return false;
        }
    }
}
