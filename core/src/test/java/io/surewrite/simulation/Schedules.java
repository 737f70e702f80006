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
 * prints its seed and its history; {@code -Dsurewrite.simulation.seed=N} begins with that seed.
 */
public final class Schedules {

    /** The seed of the first schedule. */
    public static final long FIRST_SEED = Long.getLong("surewrite.simulation.seed", 1);

    /** Whether planted bugs are looked for from the first seed on, and not first where they were noticed before. */
    public static final boolean SEARCHES_ALL = Boolean.getBoolean("surewrite.simulation.search");

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

    /**
     * Runs them.
     *
     * @param seconds how long, unless the property says something else
     * @param schedule runs the schedule of a seed, and throws a {@link Violation} if it fails
     * @param history tells what happens in the schedule of a seed
     * @return how many were run, all without a violation
     * @throws Exception what else a schedule throws
     */
    public static long run(long seconds, LongConsumer schedule, LongFunction<String> history) throws Exception {
        Duration budget = Duration.ofSeconds(Long.getLong("surewrite.simulation.seconds", seconds));
        return new Schedules(budget, schedule, history).run();
    }

    /**
     * Looks for the first schedule that shows a planted bug, and fails if none does.
     *
     * @param bug what is planted
     * @param seeds where to look
     * @param schedule runs the schedule of a seed, and throws a {@link Violation} if it notices
     */
    public static void notice(Object bug, LongStream seeds, LongConsumer schedule) {
        for (long seed : (Iterable<Long>) seeds::iterator) {
            try {
                schedule.accept(seed);
            } catch (Violation violation) {
                System.out.printf("%s noticed by seed %d: %s%n", bug, seed, violation.getMessage());
                return;
            }
        }
        fail("Nobody notices " + bug);
    }

    /**
     * Repeats the schedule of a seed, which writes a history.
     *
     * @param schedule runs it
     * @param history what it has written
     * @return the history and its end
     */
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
