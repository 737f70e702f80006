package io.surewrite.alledeals.lab;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The database is stopped, sellers list all the same, it is started again: what happened when, as it happened. */
class Outage {

    private final long start = System.nanoTime();
    private final CountDownLatch endWanted = new CountDownLatch(1);
    private final AtomicInteger listed = new AtomicInteger();
    private final AtomicInteger kept = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final Set<UUID> missing = ConcurrentHashMap.newKeySet();
    private final Queue<Level> levels = new ConcurrentLinkedQueue<>();
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
        levels.add(new Level(millis(), waiting));
    }

    void databaseStarted() {
        startedMillis = millis();
    }

    void end() {
        over = true;
    }

    int listed() {
        return listed.get();
    }

    int kept() {
        return kept.get();
    }

    int failed() {
        return failed.get();
    }

    /** The items that were kept and are not on the shelf yet. */
    List<UUID> missing() {
        return List.copyOf(missing);
    }

    List<Level> levels() {
        return List.copyOf(levels);
    }

    /** When the database was started again, since the start; not a number before that. */
    double startedMillis() {
        return startedMillis;
    }

    boolean isOver() {
        return over;
    }

    private double millis() {
        return (System.nanoTime() - start) / 1e6;
    }

    /** The size of the backlog was read. */
    record Level(double millis, long waiting) {}
}
