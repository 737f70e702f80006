package io.surewrite.backlog;

import io.surewrite.backlog.EntryReplay.Outcome;
import io.surewrite.backlog.EntryReplay.Turn;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what waits, the oldest first: a single entry to see whether the cluster is back, then many at a time until nothing
 * is left or the cluster fails again.
 */
final class Replay implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Replay.class);

    private static final int PAGE = 256;

    private final BacklogStore store;
    private final EntryReplay entries;
    private final BacklogSettings settings;
    private final Thread thread;
    private final Semaphore underWay;
    private final AtomicInteger failuresInARow = new AtomicInteger();

    private final Queue<Turn> failed = new ConcurrentLinkedQueue<>();

    /** The next probe is after this: one bad entry must not stand in the way for ever. */
    private long probed;

    /** The next round begins after this, where too many in a row have failed the last time. */
    private long from;

    private long nextSlot = System.nanoTime();
    private boolean due;

    /** Whether entries of this session may wait: those of another one, whose cluster is away, are none of ours. */
    private volatile boolean mayWait = true;

    private volatile boolean closed;

    /**
     * @param name added to the thread's
     */
    Replay(String name, BacklogStore store, EntryReplay entries, BacklogSettings settings) {
        this.store = store;
        this.entries = entries;
        this.settings = settings;
        this.underWay = new Semaphore(settings.concurrency());
        this.due = store.size().entries() > 0;
        this.thread = new Thread(this::run, "surewrite-backlog-replay" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Begins now. */
    synchronized void wake() {
        due = true;
        mayWait = true;
        notifyAll();
    }

    /** Begins after the usual wait, if it does not wait already. */
    synchronized void entryAdded() {
        mayWait = true;
        notifyAll();
    }

    private void run() {
        try {
            replayUntilClosed();
        } finally {
            entries.flush();
        }
    }

    private void replayUntilClosed() {
        Duration wait = settings.probeInterval();
        while (!closed) {
            try {
                awaitWork(wait);
                wait = closed || clusterTakesWrites() ? settings.probeInterval() : longer(wait);
            } catch (InterruptedException closing) {
                return;
            } catch (RuntimeException | Error failure) { // the thread must go on
                if (!closed) {
                    log.warn("The backlog is not replayed for now", failure);
                }
                wait = longer(wait);
            }
        }
    }

    private Duration longer(Duration wait) {
        Duration doubled = wait.multipliedBy(2);
        return doubled.compareTo(settings.maxProbeInterval()) < 0 ? doubled : settings.maxProbeInterval();
    }

    private synchronized void awaitWork(Duration wait) throws InterruptedException {
        while (!due && !closed && (!mayWait || store.size().entries() == 0)) {
            wait();
        }
        long end = System.nanoTime() + wait.toNanos();
        for (long left = wait.toNanos(); !due && !closed && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        due = false;
    }

    /** Replays what it can, and tells whether the cluster takes anything. */
    private boolean clusterTakesWrites() throws InterruptedException {
        Turn probe = probe();
        if (probe == null) {
            return true;
        }
        if (probe.outcome() == Outcome.FAILED || probe.outcome() == Outcome.UNAUTHORIZED) {
            probed = probe.entry().id();
            return false;
        }
        probed = 0;
        failuresInARow.set(0);
        failed.clear();
        boolean wrapped = from > 0;
        from = replayAfter(from);
        // What is under way belongs to this round.
        underWay.acquire(settings.concurrency());
        underWay.release(settings.concurrency());
        entries.flush();
        if (from == 0 && failuresInARow.get() == 0) {
            failed.forEach(entries::countFailure);
        }
        if (from == 0 && wrapped) {
            wake();
        }
        return true;
    }

    /** The oldest entry's turn, or that of the next one if that was tried before; null if nothing waits. */
    private @Nullable Turn probe() {
        while (true) {
            mayWait = false; // before the look: what comes meanwhile sets it again
            StoredEntry found = nextOfMine(probed);
            if (found == null && probed > 0) {
                found = nextOfMine(0);
            }
            if (found == null) {
                return null;
            }
            mayWait = true;
            Turn turn = entries.run(found).join();
            if (closed || turn.outcome() != Outcome.GONE) {
                return turn;
            }
        }
    }

    private @Nullable StoredEntry nextOfMine(long after) {
        long last = after;
        int limit = 1; // mostly the very next
        while (true) {
            List<StoredEntry> page = store.next(last, limit).join();
            for (StoredEntry entry : page) {
                if (entries.isMine(entry)) {
                    return entry;
                }
                last = entry.id();
            }
            if (page.isEmpty()) {
                return null;
            }
            limit = PAGE;
        }
    }

    /** Starts all that wait after an entry; answers 0, or the last one it started if too many in a row have failed. */
    private long replayAfter(long start) throws InterruptedException {
        long last = start;
        List<StoredEntry> page = store.next(last, PAGE).join();
        while (!page.isEmpty()) {
            // Read while these are done.
            CompletableFuture<List<StoredEntry>> following =
                    store.next(page.get(page.size() - 1).id(), PAGE);
            for (StoredEntry entry : page) {
                if (!entries.isMine(entry)) {
                    last = entry.id();
                    continue;
                }
                underWay.acquire();
                if (closed || failuresInARow.get() >= settings.concurrency()) {
                    underWay.release();
                    return last;
                }
                keepPace();
                start(entry);
                last = entry.id();
            }
            page = following.join();
            if (page.isEmpty()) {
                // What came meanwhile.
                page = store.next(last, PAGE).join();
            }
        }
        return 0;
    }

    private void start(StoredEntry entry) {
        var unused = entries.run(entry).whenComplete((turn, impossible) -> {
            if (turn == null || turn.outcome() == Outcome.FAILED || turn.outcome() == Outcome.UNAUTHORIZED) {
                failuresInARow.incrementAndGet();
            } else {
                failuresInARow.set(0);
            }
            if (turn != null && turn.outcome() == Outcome.FAILED) {
                failed.add(turn);
            }
            underWay.release();
        });
    }

    private void keepPace() {
        if (settings.ratePerSecond() > 0) {
            long now = System.nanoTime();
            LockSupport.parkNanos(nextSlot - now);
            nextSlot = Math.max(now, nextSlot) + TimeUnit.SECONDS.toNanos(1) / settings.ratePerSecond();
        }
    }

    /** Begins nothing new, and waits a little for what is under way; what it does not see the end of is done again. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(Math.max(1, settings.shutdownTimeout().toMillis()));
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
