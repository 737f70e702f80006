package io.surewrite.alledeals.lab;

import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The database is stopped, sellers list all the same, it is started again, as it happens: a picture of 600 by 150 and a few
 * numbers. The page looks first whether it is over, and asks no more when it is: what it looks at after that is all there is.
 */
final class Outage {

    private static final int WIDTH = 600;
    private static final int HEIGHT = 150;

    private final long start = System.nanoTime();
    private final CountDownLatch endWanted = new CountDownLatch(1);
    private final AtomicInteger listed = new AtomicInteger();
    private final AtomicInteger kept = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final Set<UUID> missing = ConcurrentHashMap.newKeySet();
    private final Deque<Level> levels = new ConcurrentLinkedDeque<>(List.of(new Level(1, 0)));
    private volatile double startedMillis = Double.NaN;
    private volatile boolean over;

    /** Somebody wants the database back. */
    void wantEnd() {
        endWanted.countDown();
    }

    boolean awaitEndWanted(Duration patience) throws InterruptedException {
        return endWanted.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    boolean isEndWanted() {
        return endWanted.getCount() == 0;
    }

    void wasListed() {
        listed.incrementAndGet();
    }

    void wasKept(UUID itemId) {
        missing.add(itemId);
        kept.incrementAndGet();
    }

    void hasFailed() {
        failed.incrementAndGet();
    }

    void cameToTheShelf(UUID itemId) {
        missing.remove(itemId);
    }

    void sizeRead(long waiting) {
        levels.add(new Level(now(), waiting));
    }

    void databaseStarted() {
        startedMillis = now();
    }

    void end() {
        over = true;
    }

    /** The items that were kept and are not on the shelf yet. */
    List<UUID> missing() {
        return List.copyOf(missing);
    }

    /** Whether everything has come to the shelf, or nobody waits for it any more. */
    public boolean isOver() {
        return over;
    }

    /** How many items were listed at once, before the stop was noticed or after the start. */
    public int listed() {
        return listed.get();
    }

    public int kept() {
        return kept.get();
    }

    /** How many sellers were turned away. */
    public int failed() {
        return failed.get();
    }

    /** How many writes wait in the backlog. */
    public long waiting() {
        return levels.getLast().waiting();
    }

    /** How many waited when most did. */
    public long most() {
        return Math.max(1, levels.stream().mapToLong(Level::waiting).max().orElse(1));
    }

    /** How many of the kept ones are items now. */
    public int onTheShelf() {
        return kept() - missing.size();
    }

    public long millis() {
        return Math.round(levels.getLast().millis());
    }

    /** Whether nobody was turned away, nothing waits, and whatever was kept is on the shelf. */
    public boolean addsUp() {
        return over && failed() == 0 && waiting() == 0 && onTheShelf() == kept();
    }

    /** How many have arrived in the database, and are listed next. */
    public long arrived() {
        return Math.max(0, kept() - waiting() - onTheShelf());
    }

    /** Whether the database is stopped. */
    public boolean isStopped() {
        return Double.isNaN(startedMillis) && !over;
    }

    /** Where in the picture the database was started again. */
    public @Nullable String startedX() {
        return Double.isNaN(startedMillis) ? null : x(startedMillis);
    }

    /** The backlog over time, as points of a line. */
    public String waitingLine() {
        return levels.stream()
                .map(level -> x(level.millis())
                        + String.format(Locale.ROOT, ",%.1f", HEIGHT * (1 - level.waiting() / (double) most())))
                .collect(Collectors.joining(" "));
    }

    private String x(double millis) {
        return String.format(
                Locale.ROOT,
                "%.1f",
                WIDTH * Math.min(1, millis / levels.getLast().millis()));
    }

    private double now() {
        return (System.nanoTime() - start) / 1e6;
    }

    private record Level(double millis, long waiting) {}
}
