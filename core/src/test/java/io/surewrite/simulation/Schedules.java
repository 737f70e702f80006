package io.surewrite.simulation;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Runs schedules, a seed each, until their time is over or one fails.
 *
 * <p>{@code -Dsurewrite.simulation.seconds=300} gives them more time, {@code -Dsurewrite.simulation.threads=2} more processors. A failure
 * prints its seed and its history; {@code -Dsurewrite.simulation.seed=N} begins with that seed. {@code
 * -Dsurewrite.simulation.searches=10} looks for each planted bug ten times, far from where it was noticed before, and prints
 * how many schedules it took.
 */
public final class Schedules {

    /** The seed of the first schedule. */
    public static final long FIRST_SEED = Long.getLong("surewrite.simulation.seed", 1);

    /** How often planted bugs are searched for; none: they are looked for where they were noticed before. */
    private static final int SEARCHES = Integer.getInteger("surewrite.simulation.searches", 0);

    private static final long BETWEEN_SEARCHES = 10_000_000;
    private static final long MOST = 1_000_000;

    private static final int THREADS = Integer.getInteger("surewrite.simulation.threads", 1);

    private final LongConsumer schedule;
    private final LongFunction<String> history;
    private final long end;
    private final AtomicLong nextSeed = new AtomicLong(FIRST_SEED);
    private final AtomicReference<String> failure = new AtomicReference<>();

    private Schedules(Duration budget, LongConsumer schedule, LongFunction<String> history) {
        this.schedule = schedule;
        this.history = history;
        this.end = System.nanoTime() + budget.toNanos();
    }

    /** Runs them for so many seconds, unless the property says something else. {@return how many were run, without a violation} */
    public static long run(long seconds, LongConsumer schedule, LongFunction<String> history) throws Exception {
        Duration budget = Duration.ofSeconds(Long.getLong("surewrite.simulation.seconds", seconds));
        return new Schedules(budget, schedule, history).run();
    }

    /** Looks for the first schedule that shows a planted bug, from a seed on where it was noticed, and fails if none does. */
    public static void notice(Object bug, long known, LongConsumer schedule) {
        if (SEARCHES == 0) {
            search(bug, known, schedule);
            return;
        }
        long[] took = LongStream.range(0, SEARCHES)
                .map(search -> search(bug, FIRST_SEED + search * BETWEEN_SEARCHES, schedule))
                .sorted()
                .toArray();
        System.out.printf(
                "%s noticed in %,d to %,d schedules, the median of %d searches is %,d%n",
                bug, took[0], took[SEARCHES - 1], SEARCHES, took[SEARCHES / 2]);
    }

    private static long search(Object bug, long first, LongConsumer schedule) {
        for (long seed = first; seed < first + MOST; seed++) {
            try {
                schedule.accept(seed);
            } catch (Violation violation) {
                System.out.printf("%s noticed by seed %d: %s%n", bug, seed, violation.getMessage());
                return seed - first + 1;
            }
        }
        return fail("Nobody notices %s in %,d schedules from seed %d on", bug, MOST, first);
    }

    /** Repeats the schedule of a seed, which writes a history. */
    public static String history(long seed, Runnable schedule, Supplier<String> history) {
        try {
            schedule.run();
        } catch (Violation violation) {
            return "%s%nSeed %d: %s".formatted(history.get(), seed, violation.getMessage());
        }
        return "Seed %d does not fail when it is repeated%n".formatted(seed);
    }

    private long run() throws Exception {
        var workers = Executors.newFixedThreadPool(THREADS);
        try {
            Callable<Void> worker = this::work;
            for (var done : workers.invokeAll(
                    IntStream.range(0, THREADS).mapToObj(i -> worker).toList())) {
                done.get();
            }
        } finally {
            workers.shutdown();
        }
        if (failure.get() != null) {
            fail(failure.get());
        }
        return nextSeed.get() - FIRST_SEED;
    }

    private Void work() {
        while (System.nanoTime() < end && failure.get() == null) {
            long seed = nextSeed.getAndIncrement();
            try {
                schedule.accept(seed);
            } catch (Violation violation) {
                failure.compareAndSet(null, history.apply(seed));
            }
        }
        return null;
    }
}
