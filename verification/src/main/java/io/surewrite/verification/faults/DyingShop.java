package io.surewrite.verification.faults;

import io.surewrite.alledeals.begun.Reconciler;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.verification.faults.HaltingSession.Moment;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** An instance of the sample shop that does one thing and is killed in the middle of it. */
final class DyingShop {

    static final int UNITS = 10;
    static final int QUANTITY = 2;

    /** What it does. */
    enum Work {
        /** Lists an item of ten units. */
        LIST,
        /** Buys two of them. */
        BUY
    }

    private DyingShop() {}

    /**
     * Does it, and ends normally only if there are not so many writes.
     *
     * @param args its name, the connection, what to do, the moment and the number of the write, whether it dies as the one
     *     who reconciles, the item, the purchase, the user
     * @throws Exception when it does not come that far
     */
    public static void main(String[] args) throws Exception {
        int next = 1 + Connection.ARGUMENTS;
        Work work = Work.valueOf(args[next]);
        HaltingSession halting = new HaltingSession(Moment.valueOf(args[next + 1]), Integer.parseInt(args[next + 2]));
        UUID item = UUID.fromString(args[next + 4]);
        UUID purchase = UUID.fromString(args[next + 5]);
        UUID user = UUID.fromString(args[next + 6]);
        try (ShopInstance shop = ShopInstance.open(
                Connection.of(args, 1),
                List.of(halting),
                "surewrite.schema.initialize=never",
                "alledeals.reconcile-every=1h")) {
            if (Boolean.parseBoolean(args[next + 3])) {
                // As the reconciler does it: for no thread.
                var unused = shop.bean(LeaseLocks.class)
                        .tryAcquireAsync(Reconciler.LEASE.withoutRenewal(), Duration.ofSeconds(30))
                        .toCompletableFuture()
                        .join()
                        .orElseThrow();
            }
            halting.during(() -> {
                switch (work) {
                    case LIST -> shop.list(item, user, UNITS);
                    case BUY -> shop.buy(purchase, item, user, QUANTITY);
                }
            });
        }
    }
}
