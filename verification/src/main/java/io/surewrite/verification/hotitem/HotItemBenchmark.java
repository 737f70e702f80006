package io.surewrite.verification.hotitem;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.surewrite.embedded.EmbeddedCassandra;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Fifty buyers of one item, in turns: the sample shop over REST, everything it does included, and the kata's own loop in
 * this process. Only the ratio means something. Run it with
 * {@code mvn -pl verification,sample-alledeals -am -DskipTests -Pbenchmark-hotitem package}.
 */
public final class HotItemBenchmark {

    private static final int BUYERS = 50;
    private static final int UNITS = 1_000;
    private static final int ROUNDS = 5;
    private static final int KATA_UNITS = 200;

    private HotItemBenchmark() {}

    /**
     * Runs the benchmark and prints its result.
     *
     * @param arguments the packaged shop
     * @throws Exception when the server or the shop cannot be started
     */
    public static void main(String[] arguments) throws Exception {
        try (EmbeddedCassandra server = EmbeddedCassandra.builder().start()) {
            server.createKeyspace("shop");
            try (ShopProcess shop = ShopProcess.start(Path.of(arguments[0]), server, "shop");
                    CqlSession session = session(server)) {
                Counter ours = new ShopCounter(shop.address(), BUYERS);
                Counter kata = new KataLoop(session);
                purchasesPerSecond(ours, UNITS); // warm both up
                purchasesPerSecond(kata, KATA_UNITS);
                List<Double> shopRounds = new ArrayList<>();
                List<Double> kataRounds = new ArrayList<>();
                for (int round = 0; round < ROUNDS; round++) {
                    shopRounds.add(purchasesPerSecond(ours, UNITS));
                    kataRounds.add(purchasesPerSecond(kata, KATA_UNITS));
                }
                report(median(shopRounds), median(kataRounds));
            }
        }
    }

    /** Fifty buyers buy until nothing is left. */
    private static double purchasesPerSecond(Counter counter, int units) throws Exception {
        UUID item = counter.list(units);
        ExecutorService threads = Executors.newFixedThreadPool(BUYERS);
        try {
            long start = System.nanoTime();
            List<Future<Integer>> buyers = new ArrayList<>();
            for (int buyer = 0; buyer < BUYERS; buyer++) {
                int number = buyer;
                buyers.add(threads.submit(() -> buyAll(counter, item, number)));
            }
            int sold = 0;
            for (Future<Integer> buyer : buyers) {
                sold += buyer.get();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "%-12s %5d of %5d sold in %6.2f s%n",
                    counter.getClass().getSimpleName(),
                    sold,
                    units,
                    seconds);
            return sold / seconds;
        } finally {
            threads.shutdownNow();
        }
    }

    private static int buyAll(Counter counter, UUID item, int buyer) {
        int bought = 0;
        while (counter.buy(item, buyer)) {
            bought++;
        }
        return bought;
    }

    private static CqlSession session(EmbeddedCassandra server) {
        return CqlSession.builder()
                .addContactPoint(server.contactPoint())
                .withLocalDatacenter(server.localDatacenter())
                .withKeyspace("shop")
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
                        .build())
                .build();
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static void report(double shop, double kata) {
        System.out.printf(
                Locale.ROOT,
                "%d buyers of one item, median of %d: shop %.0f purchases/s, the kata's loop %.0f, ratio %.1f (goal 10)%n",
                BUYERS,
                ROUNDS,
                shop,
                kata,
                shop / kata);
    }
}
