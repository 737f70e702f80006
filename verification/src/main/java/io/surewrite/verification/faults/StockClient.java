package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.verification.faults.ShopInstance.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

/** An instance of the sample shop with a hundred buyers, who buy item after item until nothing is left. */
final class StockClient {

    static final int BUYERS = 100;

    private static final int MOST = 3;
    private static final long AGAIN_AFTER_MILLIS = 200;
    private static final long LAST_PATIENCE_NANOS = 45_000_000_000L;

    private final Program program;
    private final ShopInstance shop;
    private final History history;

    private StockClient(Program program, ShopInstance shop, History history) {
        this.program = program;
        this.shop = shop;
        this.history = history;
    }

    /**
     * Runs until its input ends or nothing is left.
     *
     * @param args its name, the connection, the directory of the histories, the number of its first buyer, the items
     * @throws Exception when a thread fails
     */
    public static void main(String[] args) throws Exception {
        int next = 1 + Connection.ARGUMENTS;
        int firstBuyer = Integer.parseInt(args[next + 1]);
        List<UUID> items =
                Arrays.stream(args).skip(next + 2).map(UUID::fromString).toList();
        Program program = new Program();
        try (History history = History.open(Path.of(args[next]), args[0]);
                ShopInstance shop = ShopInstance.open(Connection.of(args, 1), "surewrite.schema.initialize=never")) {
            StockClient client = new StockClient(program, shop, history);
            List<Callable<Void>> works = new ArrayList<>();
            for (int i = 0; i < BUYERS; i++) {
                UUID buyer = buyer(firstBuyer + i);
                works.add(() -> client.buyAll(items, buyer));
            }
            program.run(works);
        }
    }

    static UUID buyer(int number) {
        return new UUID(0x4000L, 0x8000_0000_0000_0001L + number);
    }

    private Void buyAll(List<UUID> items, UUID buyer) throws InterruptedException {
        for (UUID item : items) {
            int most = MOST;
            while (most > 0 && !program.isOver()) {
                int quantity = ThreadLocalRandom.current().nextInt(1, most + 1);
                if (!buy(item, buyer, quantity)) {
                    most = quantity - 1; // fewer may be left
                }
            }
        }
        return null;
    }

    /** Buys, and asks again with the same id while nobody knows what became of it. */
    private boolean buy(UUID item, UUID buyer, int quantity) throws InterruptedException {
        UUID purchase = Uuids.timeBased();
        String subject = item + "/" + purchase;
        long from = System.nanoTime();
        history.add(Event.BEGUN, subject, quantity, from);
        long overSince = Long.MAX_VALUE;
        while (overSince == Long.MAX_VALUE || System.nanoTime() - overSince < LAST_PATIENCE_NANOS) {
            Answer answer = shop.buy(purchase, item, buyer, quantity);
            if (answer != Answer.UNKNOWN) {
                boolean bought = answer == Answer.BOUGHT;
                history.add(bought ? Event.ACKNOWLEDGED : Event.REFUSED, subject, quantity, from);
                return bought;
            }
            history.add(Event.FAILED, subject, quantity, from);
            Thread.sleep(AGAIN_AFTER_MILLIS);
            if (program.isOver() && overSince == Long.MAX_VALUE) {
                overSince = System.nanoTime();
            }
        }
        return false;
    }
}
