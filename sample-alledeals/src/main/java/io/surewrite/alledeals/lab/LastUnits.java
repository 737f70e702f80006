package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.lab.Run.Fate;
import io.surewrite.alledeals.purchase.PurchaseService;
import io.surewrite.alledeals.web.ProblemException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;

/** Read, subtract, write. */
@Component
class LastUnits implements Experiment {

    private static final int BUYERS = 20;
    private static final int UNITS = 10;
    private static final int SLOWEST_MILLIS = 40;

    private final PlainRows rows;
    private final LabShop shop;
    private final ItemService items;
    private final PurchaseService purchases;

    LastUnits(PlainRows rows, LabShop shop, ItemService items, PurchaseService purchases) {
        this.rows = rows;
        this.shop = shop;
        this.items = items;
        this.purchases = purchases;
    }

    @Override
    public String name() {
        return "stock";
    }

    @Override
    public Verdict plain(Run run) throws Exception {
        String id = "stock " + UUID.randomUUID();
        rows.save(LabRow.units(id, UNITS));
        run.watch("somebody", id);
        int sold = sell(run, buyer -> buyPlainly(id));
        return verdict(
                sold, Objects.requireNonNull(rows.findById(id).orElseThrow().units()));
    }

    private boolean buyPlainly(String id) {
        int left = Objects.requireNonNull(rows.findById(id).orElseThrow().units());
        if (left == 0) {
            return false;
        }
        rows.save(LabRow.units(id, left - 1));
        return true;
    }

    @Override
    public Verdict sure(Run run) throws Exception {
        Item item = shop.listItem("Ten units, twenty buyers", UNITS);
        List<UUID> shoppers = IntStream.range(0, BUYERS).mapToObj(shop::buyer).toList();
        run.watch("the shop", item.id());
        int sold = sell(run, buyer -> {
            try {
                purchases.purchase(Uuids.timeBased(), item.id(), shoppers.get(buyer - 1), 1);
                return true;
            } catch (ProblemException soldOut) {
                return false;
            }
        });
        return verdict(sold, items.get(item.id()).availableUnits());
    }

    private static int sell(Run run, IntPredicate purchase) throws Exception {
        run.faults((message, random) -> {
            boolean isStock = message.isConditional() || message.cql().contains("cass_lab_row");
            boolean isUnlucky = isStock && !message.isRead() && random.nextInt(10) == 0;
            return isUnlucky ? Fate.ANSWER_LOST : Fate.slow(random.nextInt(SLOWEST_MILLIS));
        });
        run.begin();
        int sold = run.atOnce(BUYERS, "Buyer", buyer -> {
            try {
                boolean hasBought = purchase.test(buyer);
                run.say("hears: " + (hasBought ? "bought" : "sold out"));
                return hasBought;
            } catch (RuntimeException trouble) {
                run.say("hears: an error");
                return false;
            }
        });
        run.settle();
        return sold;
    }

    private static Verdict verdict(int sold, int left) {
        return new Verdict("%d sold of %d, %d left".formatted(sold, UNITS, left), sold + left == UNITS);
    }
}
