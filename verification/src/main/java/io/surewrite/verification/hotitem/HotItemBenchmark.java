package io.surewrite.verification.hotitem;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.verification.Arguments;
import io.surewrite.verification.faults.Connection;
import io.surewrite.verification.faults.ShopInstance;
import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Goal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Fifty buyers of one item in one process, on one server, over one session, without HTTP: the sample shop's whole purchase
 * ({@link ShopCounter}) and the kata's own loop ({@link KataLoop}), in turns. Only the ratio means something. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-hotitem package};
 * {@code -Dverification.argument=3,60} warms both sides up for 60 seconds each instead of 100, and measures three rounds.
 */
public final class HotItemBenchmark {

    private static final int BUYERS = 50;

    /** As many on both sides: an item with many purchases is larger, and each update slower. */
    private static final int UNITS = 1_000;

    private HotItemBenchmark() {}

    /**
     * Runs the benchmark and prints its result.
     *
     * @param args how many rounds, and for how many seconds each side warms up, as one text with a comma
     * @throws Exception when the server or the shop cannot be started
     */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, "5", "100");
        int rounds = arguments.number(0);
        Duration warming = arguments.seconds(1);
        Figures figures = Figures.of("hotitem", arguments.toString());
        try (EmbeddedCassandra server = EmbeddedCassandra.builder()
                // As in production: with the second compiler, which a server for development does without.
                .jvmArgument("-XX:TieredStopAtLevel=4")
                .start()) {
            server.createKeyspace("shop");
            figures.on(server);
            try (ShopInstance shop =
                    ShopInstance.open(Connection.to(server, "shop"), "surewrite.schema.initialize=always")) {
                Counter ours = new ShopCounter(shop, BUYERS);
                Counter kata = new KataLoop(shop.bean(CqlSession.class));
                // Until then client and server are mostly compiled, both sides after as many seconds.
                warm(ours, warming);
                warm(kata, warming);
                List<Double> shopRounds = new ArrayList<>();
                List<Double> kataRounds = new ArrayList<>();
                for (int round = 0; round < rounds; round++) {
                    shopRounds.add(purchasesPerSecond(ours, UNITS));
                    kataRounds.add(purchasesPerSecond(kata, UNITS));
                }
                report(shopRounds, kataRounds, figures);
            }
        }
    }

    private static void warm(Counter counter, Duration howLong) throws Exception {
        long end = System.nanoTime() + howLong.toNanos();
        while (System.nanoTime() < end) {
            purchasesPerSecond(counter, UNITS);
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

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static void report(List<Double> shop, List<Double> kata, Figures figures) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < shop.size(); round++) {
            ratios.add(shop.get(round) / kata.get(round));
        }
        String what = BUYERS + " buyers of one item, the shop's whole purchase, median of rounds: " + shop.size();
        figures.add(Figure.ratio(what, "purchases/s", median(shop), "the kata's loop", median(kata))
                .withResult(median(ratios))
                .withGoal(Goal.atLeast(10)));
    }
}
