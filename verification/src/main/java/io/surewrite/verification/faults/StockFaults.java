package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Two hundred buyers in two instances of the sample shop on three nodes, of which one at a time is paused or killed: sold
 * exactly what was there. Run it with {@code mvn -pl verification -am -DskipTests -Pfaults-stock package}.
 */
public final class StockFaults {

    private static final UUID SELLER = new UUID(0x4000L, 0x8000_0000_0000_0000L);
    private static final int UNITS = 400;
    private static final int LEAST_DISTURBANCES = 6;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);
    private static final Duration CALM = Duration.ofSeconds(4);
    private static final Duration COMPLETED_WITHIN = Duration.ofSeconds(90);

    private StockFaults() {}

    /**
     * Runs until enough faults have happened, a killed node among them, and throws if anything was wrong.
     *
     * @param args how many items
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        long seed = System.nanoTime();
        System.out.println("Stock under faults, seed " + seed);
        try (Run run = new Run("stock");
                History history = History.open(run.directory(), "nemesis")) {
            List<UUID> items = open(run.connection(), Integer.parseInt(args[0]));
            for (int first : List.of(0, StockClient.BUYERS)) {
                run.startClient(
                        StockClient.class,
                        Stream.concat(
                                        Stream.of(Integer.toString(first)),
                                        items.stream().map(UUID::toString))
                                .toArray(String[]::new));
            }
            Thread.sleep(20_000); // until they are at it
            Nemesis nemesis = new Nemesis(run.cluster(), history, seed, LONGEST_PAUSE);
            for (int i = 0; i < LEAST_DISTURBANCES || !wasKilled(run.events()); i++) {
                nemesis.strike();
                Thread.sleep(CALM.toMillis());
            }
            run.finishClients();
            List<String> violations = readAtTheEnd(run.connection(), items, history);
            violations.addAll(new StockChecker().violations(run.events()));
            report(run.events(), violations);
            run.judge(violations);
        }
    }

    /** Makes the tables, and fills the shop. */
    private static List<UUID> open(Connection connection, int items) {
        try (ShopInstance shop = ShopInstance.open(connection, "surewrite.schema.initialize=always")) {
            shop.register(SELLER, "seller");
            IntStream.range(0, 2 * StockClient.BUYERS)
                    .forEach(number -> shop.register(StockClient.buyer(number), "buyer" + number));
            return IntStream.range(0, items)
                    .mapToObj(number -> {
                        UUID id = Uuids.timeBased();
                        shop.list(id, SELLER, UNITS);
                        return id;
                    })
                    .toList();
        }
    }

    private static boolean wasKilled(List<Event> events) {
        return events.stream()
                .anyMatch(event -> event.is(Event.NODE_FAULT) && event.subject().endsWith("killed"));
    }

    /** What the items say; and whether an instance that opens now completes everything that was bound. */
    private static List<String> readAtTheEnd(Connection connection, List<UUID> items, History history)
            throws InterruptedException {
        try (ShopInstance shop =
                ShopInstance.open(connection, "surewrite.schema.initialize=never", "alledeals.reconcile-every=1s")) {
            ShopRows rows = new ShopRows(shop.bean(CqlSession.class));
            List<String> wrong = new ArrayList<>();
            long start = System.nanoTime();
            for (UUID item : items) {
                ShopRows.Stock stock = rows.stock(item).orElseThrow();
                history.add(Event.OFFERED, item.toString(), stock.offered(), start);
                history.add(Event.AVAILABLE, item.toString(), stock.available(), start);
                stock.purchases().forEach((id, quantity) -> history.add(Event.SOLD, item + "/" + id, quantity, start));
            }
            for (UUID item : items) {
                List<String> open = incomplete(rows, item);
                while (!open.isEmpty() && System.nanoTime() - start < COMPLETED_WITHIN.toNanos()) {
                    Thread.sleep(500);
                    open = incomplete(rows, item);
                }
                wrong.addAll(open);
            }
            return wrong;
        }
    }

    private static List<String> incomplete(ShopRows rows, UUID item) {
        Optional<ShopRows.Stock> stock = rows.stock(item);
        List<String> wrong = new ArrayList<>(ShopChecker.wrongListings(stock, rows.listings(item, SELLER)));
        stock.orElseThrow()
                .purchases()
                .forEach((id, quantity) -> wrong.addAll(ShopChecker.wrongPurchase(id, quantity, rows.purchase(id))));
        return wrong;
    }

    private static void report(List<Event> events, List<String> violations) {
        Set<String> unknown = subjects(Event.FAILED, events);
        Set<String> answered = subjects(Event.ACKNOWLEDGED, events);
        answered.addAll(subjects(Event.REFUSED, events));
        System.out.printf(
                "%d purchases, %d bought, %d refused; %d times nobody knew the outcome, of %d purchases, %d of them settled"
                        + " by the same request again; %d of %d units sold; %d node faults; %d violations%n",
                subjects(Event.BEGUN, events).size(),
                subjects(Event.ACKNOWLEDGED, events).size(),
                subjects(Event.REFUSED, events).size(),
                events.stream().filter(event -> event.is(Event.FAILED)).count(),
                unknown.size(),
                unknown.stream().filter(answered::contains).count(),
                sum(Event.SOLD, events),
                sum(Event.OFFERED, events),
                events.stream().filter(event -> event.is(Event.NODE_FAULT)).count(),
                violations.size());
    }

    private static Set<String> subjects(String what, List<Event> events) {
        return events.stream()
                .filter(event -> event.is(what))
                .map(Event::subject)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static long sum(String what, List<Event> events) {
        return events.stream()
                .filter(event -> event.is(what))
                .mapToLong(Event::number)
                .sum();
    }
}
