package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.begun.Reconciler;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.verification.faults.DyingShop.Work;
import io.surewrite.verification.faults.HaltingSession.Moment;
import io.surewrite.verification.faults.ShopInstance.Answer;
import io.surewrite.verification.faults.ShopRows.Stock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The sample shop is killed ({@link Runtime#halt}) before, at and after each write of listing an item and of a purchase, one
 * process each; another instance finds what that leaves. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pfaults-crash package}.
 *
 * <p>Who dies after an answer dies as the one who reconciles: then the lease must run out first.
 */
public final class CrashFaults {

    private static final UUID USER = new UUID(0x4000L, 0x8000_0000_0000_0000L);
    private static final Duration RECONCILE_EVERY = Duration.ofSeconds(1);

    /** The lease and the second by which it may be longer, a round of the reconciler, and what it does then. */
    private static final Duration LONGEST = Objects.requireNonNull(Reconciler.LEASE.ttl())
            .plusSeconds(1)
            .plus(RECONCILE_EVERY)
            .plusSeconds(2);

    private final Connection connection;
    private final ShopInstance other;
    private final ShopRows rows;
    private final Path logs;
    private final List<String> violations = new ArrayList<>();
    private int crashes;
    private Duration longest = Duration.ZERO;

    private CrashFaults(Connection connection, ShopInstance other, Path logs) {
        this.connection = connection;
        this.other = other;
        this.rows = new ShopRows(other.bean(CqlSession.class));
        this.logs = logs;
    }

    /**
     * Goes through all moments and throws if anything was wrong.
     *
     * @param args not used
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        Path logs =
                Files.createDirectories(Path.of("target", "history", "crash").toAbsolutePath());
        try (EmbeddedCassandra server = EmbeddedCassandra.builder().start()) {
            server.createKeyspace("crash");
            Connection connection = Connection.to(server, "crash");
            try (ShopInstance other = ShopInstance.open(
                    connection, "surewrite.schema.initialize=always", "alledeals.reconcile-every=" + RECONCILE_EVERY)) {
                other.register(USER, "survivor");
                new CrashFaults(connection, other, logs).run();
            }
        }
    }

    private void run() throws IOException, InterruptedException {
        for (Work work : Work.values()) {
            crash(work, Moment.BEFORE, 1);
            for (int write = 1; crash(work, Moment.ANSWERED, write); write++) {
                crash(work, Moment.SENT, write);
            }
        }
        System.out.printf(
                "%d crashes, everything right again after at most %.1f s (permitted: %.1f s), %d violations%n",
                crashes, longest.toMillis() / 1e3, LONGEST.toMillis() / 1e3, violations.size());
        if (!violations.isEmpty()) {
            throw new IllegalStateException(violations.size() + " violations, such as: " + violations.get(0));
        }
    }

    /** Lets one process die, and looks what it leaves; answers whether it came to die. */
    private boolean crash(Work work, Moment moment, int write) throws IOException, InterruptedException {
        UUID item = Uuids.timeBased();
        UUID purchase = Uuids.timeBased();
        if (work == Work.BUY) {
            other.list(item, USER, DyingShop.UNITS);
        }
        List<String> arguments = new ArrayList<>(connection.arguments());
        boolean reconciles = moment == Moment.ANSWERED;
        arguments.addAll(List.of(work.name(), moment.name(), "" + write, "" + reconciles));
        arguments.addAll(List.of(item.toString(), purchase.toString(), USER.toString()));
        String name = "%s-%s-%d".formatted(work, moment, write);
        int end = new Client(name, DyingShop.class, arguments, logs).await();
        long died = System.nanoTime();
        if (end != HaltingSession.HALTED && end != 0) {
            throw new IllegalStateException(name + " ended with " + end + ", see its log in " + logs);
        }
        List<String> wrong = wrong(work, item, purchase);
        while (!wrong.isEmpty() && System.nanoTime() - died < LONGEST.toNanos()) {
            Thread.sleep(50);
            wrong = wrong(work, item, purchase);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - died);
        longest = took.compareTo(longest) > 0 ? took : longest;
        boolean done = isDone(work, item, purchase);
        wrong.forEach(what -> violations.add(name + ": " + what));
        // Each writes its note first, and then what counts.
        if (moment == Moment.ANSWERED && write > 1 && !done) {
            violations.add(name + ": what was answered is gone");
        }
        again(name, work, item, purchase);
        boolean halted = end == HaltingSession.HALTED;
        crashes += halted ? 1 : 0;
        System.out.printf(
                "%s: %s, %s; all right after %.1f s%n",
                name, halted ? "killed" : "not killed", done ? "done" : "not done", took.toMillis() / 1e3);
        return halted;
    }

    private boolean isDone(Work work, UUID item, UUID purchase) {
        Optional<Stock> stock = rows.stock(item);
        return work == Work.LIST
                ? stock.isPresent()
                : stock.orElseThrow().purchases().containsKey(purchase);
    }

    /** It took place everywhere, or nowhere. */
    private List<String> wrong(Work work, UUID item, UUID purchase) {
        Optional<Stock> stock = rows.stock(item);
        List<String> wrong = new ArrayList<>(ShopChecker.wrongListings(stock, rows.listings(item, USER)));
        stock.ifPresent(now -> {
            boolean bought = now.purchases().containsKey(purchase);
            int left = bought ? DyingShop.UNITS - DyingShop.QUANTITY : DyingShop.UNITS;
            Map<UUID, Integer> sold = bought ? Map.of(purchase, DyingShop.QUANTITY) : Map.of();
            if (!now.equals(new Stock(USER, DyingShop.UNITS, left, false, sold))) {
                wrong.add("The item is " + now);
            }
            if (bought) {
                wrong.addAll(ShopChecker.wrongPurchase(purchase, DyingShop.QUANTITY, rows.purchase(purchase)));
            }
        });
        if (work == Work.BUY && stock.isEmpty()) {
            wrong.add("The item is gone");
        }
        return wrong;
    }

    /** The same request again, elsewhere, ends in one item, or one purchase. */
    private void again(String name, Work work, UUID item, UUID purchase) {
        if (work == Work.LIST) {
            other.list(item, USER, DyingShop.UNITS);
        } else if (other.buy(purchase, item, USER, DyingShop.QUANTITY) != Answer.BOUGHT) {
            violations.add(name + ": cannot be bought again");
        }
        wrong(work, item, purchase).forEach(what -> violations.add(name + ", again: " + what));
        if (!isDone(work, item, purchase)) {
            violations.add(name + ": does not take place, though asked for again");
        }
    }
}
