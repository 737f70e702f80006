package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.backlog.StoredWriteBacklog.BacklogSession;
import io.surewrite.backlog.StoredWriteBacklog.BacklogSettings;
import io.surewrite.backlog.StoredWriteBacklog.Shelf;
import io.surewrite.internal.cql.TableLookup;
import io.surewrite.internal.observe.Observed;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.FailureKind;
import io.surewrite.write.WriteFailures;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
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

    private static final long SHUTDOWN_MILLIS = 5_000;

    private final BacklogSession own;
    private final Predicate<String> mine;
    private final EntrySender sender;
    private final Shelf shelf;
    private final BacklogSettings settings;
    private final Thread thread;
    private final Semaphore underWay;
    private final AtomicInteger failuresInARow = new AtomicInteger();

    /** What is done, or has expired, and is still in the store, as on a full disk: it has no turn again. */
    private final Set<Long> done = ConcurrentHashMap.newKeySet();

    /** The next turns are behind this: one bad entry must not stand in the way for ever. */
    private long after;

    /**
     * Whether the cluster takes entries: many have their turns at a time then, else one, to see whether it is back. Many, too, where
     * the pauses are at their longest: what fails for a reason of its own holds up what is behind it but little.
     */
    private boolean takes;

    private boolean due;

    /** Whether entries of this session may wait: those of another one, whose cluster is away, are none of ours. */
    private volatile boolean mayWait = true;

    /** The type of what failed at the last turn; null if that write waits no longer. */
    private volatile @Nullable String lastFailure;

    /** What the store has refused to note, and not taken since; the log says so once. */
    private final Set<Outcome> refused = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /** The primary session takes entries for sessions that are not there, too, and gives them up. */
    Replay(String threadName, BacklogSession own, Predicate<String> mine, EntrySender sender, Shelf shelf) {
        this.own = own;
        this.mine = mine;
        this.sender = sender;
        this.shelf = shelf;
        this.settings = shelf.settings();
        this.underWay = new Semaphore(settings.concurrency());
        this.due = shelf.store().size().entries() > 0;
        this.thread = new Thread(this::run, "surewrite-backlog-replay" + threadName);
        thread.setDaemon(true);
        thread.start();
    }

    private enum Outcome {
        /** The cluster answered, and it is done. */
        DONE,
        /** The cluster answered that it is wrong: it is dead. */
        REJECTED,
        /** It was not sent, and waits no longer: what it writes would have expired. */
        EXPIRED,
        /** It was not sent, and waits no longer: it must not be done any more. */
        DEAD,
        /** The cluster could not do it, or no answer came, or the store did not note it: it waits for the next time. */
        FAILED,
        /** The cluster says that the session may not write this, as it does too while it cannot read who may: it waits. */
        UNAUTHORIZED
    }

    private record Turn(Outcome outcome, @Nullable Throwable failure) {

        boolean failed() {
            return outcome == Outcome.FAILED || outcome == Outcome.UNAUTHORIZED;
        }
    }

    synchronized void wake() {
        due = true;
        entryAdded();
    }

    synchronized void entryAdded() {
        mayWait = true;
        notifyAll();
    }

    private void run() {
        Duration wait = settings.probeInterval();
        while (!closed) {
            try {
                awaitWork(wait);
                wait = closed || getsOn(wait) ? settings.probeInterval() : longer(wait);
            } catch (InterruptedException closing) {
                break;
            } catch (RuntimeException | Error failure) { // the thread must go on
                if (!closed) {
                    log.warn("The replay of the backlog failed, and is tried again", failure);
                }
                entryAdded(); // what could not be looked at may wait
                wait = longer(wait);
            }
        }
        takeOut();
    }

    private Duration longer(Duration wait) {
        Duration doubled = wait.multipliedBy(2);
        return doubled.compareTo(settings.maxProbeInterval()) < 0 ? doubled : settings.maxProbeInterval();
    }

    private synchronized void awaitWork(Duration wait) throws InterruptedException {
        while (!due && !closed && (!mayWait || shelf.store().size().entries() == 0)) {
            wait();
        }
        long end = System.nanoTime() + wait.toNanos();
        for (long left = wait.toNanos(); !due && !closed && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        due = false;
    }

    /** Gives the next ones their turns. Whether cluster and store take anything. */
    private boolean getsOn(Duration waited) throws InterruptedException {
        mayWait = false; // before the look: what comes meanwhile sets it again
        int most = waited.compareTo(settings.maxProbeInterval()) < 0 ? 1 : PAGE;
        List<StoredEntry> next = nextOfMine(takes ? PAGE : most);
        if (next.isEmpty() && after > 0) {
            after = 0;
            takes = false;
            next = nextOfMine(most);
        }
        if (next.isEmpty()) {
            takeOut(); // what a full disk kept
            if (!done.isEmpty()) {
                entryAdded(); // looks again, and waits longer from time to time
            }
            return done.isEmpty();
        }
        int begun = begin(next);
        // What is under way belongs to this look.
        underWay.acquire(settings.concurrency());
        underWay.release(settings.concurrency());
        takeOut();
        takes = failuresInARow.get() < Math.min(begun, settings.concurrency());
        if (takes) {
            wake();
        } else {
            entryAdded();
        }
        return takes;
    }

    /** The oldest behind the last turn that are for this session, or for none that is there. */
    private List<StoredEntry> nextOfMine(int most) {
        List<StoredEntry> page = shelf.store().next(after, most).join(); // mostly the very next
        while (!page.isEmpty()) {
            List<StoredEntry> next = page.stream()
                    .filter(entry -> !done.contains(entry.id()) && mine.test(EntryCodec.session(entry.body())))
                    .limit(most)
                    .toList();
            if (!next.isEmpty()) {
                return next;
            }
            page = shelf.store().next(page.get(page.size() - 1).id(), PAGE).join();
        }
        return page;
    }

    /** Begins with the turns, until too many in a row have failed. Returns how many it began. */
    private int begin(List<StoredEntry> entries) throws InterruptedException {
        ClusterState cluster = new ClusterState(own.session(), shelf.clock());
        failuresInARow.set(0);
        int begun = 0;
        for (StoredEntry entry : entries) {
            underWay.acquire();
            if (closed || failuresInARow.get() >= settings.concurrency()) {
                underWay.release();
                return begun;
            }
            after = entry.id();
            begun++;
            // Whatever is thrown is the failure of one turn: else its place would be taken for ever, and one day none
            // would be left.
            var unused = CompletableFuture.completedFuture(entry)
                    .thenCompose(next -> replay(next, cluster))
                    .whenComplete((turn, thrown) -> {
                        if (turn == null || turn.failed()) {
                            failuresInARow.incrementAndGet();
                        } else {
                            failuresInARow.set(0);
                        }
                        underWay.release();
                        if (thrown != null) {
                            log.warn("An entry of the backlog could not be looked at. It is tried again", thrown);
                        }
                    });
        }
        return begun;
    }

    private CompletableFuture<Turn> replay(StoredEntry stored, ClusterState cluster) {
        if (!stored.isWhole()) {
            return dead(stored, DeadLetter.Reason.DAMAGED, "its checksum does not fit");
        }
        BacklogEntry entry;
        try {
            entry = shelf.codec().decode(stored.body());
        } catch (BacklogException unreadable) {
            return dead(stored, DeadLetter.Reason.UNUSABLE, String.valueOf(unreadable.getMessage()));
        }
        String elsewhere = whyElsewhere(entry);
        if (elsewhere != null) {
            return dead(stored, DeadLetter.Reason.UNUSABLE, elsewhere);
        }
        Observed observed =
                Observed.start(shelf.events().observations(), "surewrite.backlog.replay", entry.operation(), null);
        observed.with("timestamp", entry.timestamp());
        WriteScope.Opened opened = observed.open();
        try {
            return replay(stored, entry, cluster)
                    .whenComplete((turn, thrown) -> ended(
                            observed,
                            entry.operation(),
                            turn == null ? Outcome.FAILED : turn.outcome(),
                            turn == null ? DriverFailures.unwrapped(thrown) : turn.failure()));
        } finally {
            opened.close();
        }
    }

    private void ended(Observed observed, String operation, Outcome outcome, @Nullable Throwable failure) {
        observed.stop(Observed.lowerCase(outcome), failure);
        String type = failure != null && outcome != Outcome.REJECTED && !(failure instanceof BacklogException)
                ? failure.getClass().getSimpleName()
                : null;
        // A right that is missing comes by nothing else; the log has it once a minute.
        if (type != null && (outcome == Outcome.UNAUTHORIZED || !type.equals(lastFailure))) {
            shelf.events().waits(operation, type);
        }
        lastFailure = type;
    }

    private CompletableFuture<Turn> replay(StoredEntry stored, BacklogEntry entry, ClusterState cluster) {
        return cluster.time()
                .thenCompose(time ->
                        cluster.whyReplaced(entry).thenCompose(replaced -> replay(stored, entry, time, replaced)))
                .exceptionallyCompose(failure -> failed(stored, DriverFailures.unwrapped(failure)));
    }

    private CompletableFuture<Turn> replay(
            StoredEntry stored, BacklogEntry entry, Instant clusterTime, @Nullable String replaced) {
        if (isTooOld(entry, clusterTime)) {
            return dead(
                    stored,
                    DeadLetter.Reason.TOO_OLD,
                    "decided %s, it was useful until %s: later it could bring deleted data back. Fix: decide anew"
                            .formatted(stored.decided(), entry.usefulUntil()));
        }
        if (entry.alive(clusterTime).isEmpty()) {
            shelf.events().expired(entry.operation());
            done.add(stored.id());
            return CompletableFuture.completedFuture(new Turn(Outcome.EXPIRED, null));
        }
        if (replaced != null) {
            return dead(stored, DeadLetter.Reason.TABLE_REPLACED, replaced + ". Fix: decide anew, or discard it");
        }
        if (ClusterState.isAhead(entry, clusterTime)) {
            return dead(
                    stored,
                    DeadLetter.Reason.AHEAD_OF_TIME,
                    "its timestamp is %s, and the cluster's time %s: the clock was ahead when it was decided. Fix: decide anew, or replay it when its time has come"
                            .formatted(BacklogEntry.instant(entry.timestamp()), clusterTime));
        }
        return sender.send(entry, clusterTime)
                .thenApply(answer -> {
                    shelf.events().replayed(entry.operation(), Duration.between(stored.decided(), clusterTime));
                    done.add(stored.id());
                    return new Turn(Outcome.DONE, null);
                })
                .toCompletableFuture();
    }

    /** Why the entry must not be done here, or null if this is where it belongs. */
    private @Nullable String whyElsewhere(BacklogEntry entry) {
        if (!entry.session().isEmpty() && !entry.session().equals(own.name())) {
            return "it was kept for the session '%s', and there is none of that name. Fix: name the bean of its session so, and replay it"
                    .formatted(entry.session());
        }
        String cluster = own.session().getMetadata().getClusterName().orElse("");
        if (!entry.cluster().isEmpty() && !cluster.isEmpty() && !entry.cluster().equals(cluster)) {
            return "it was kept for the cluster '%s', and the session '%s' is connected to '%s'. Fix: replay it with the right one"
                    .formatted(entry.cluster(), own.name(), cluster);
        }
        String keyspace =
                own.session().getKeyspace().map(CqlIdentifier::asInternal).orElse("");
        return entry.keyspace().equals(keyspace)
                ? null
                : "it was kept for keyspace '%s', and the session's is '%s'. Fix: replay it with the right one"
                        .formatted(entry.keyspace(), keyspace);
    }

    /** A table's grace may have become shorter meanwhile. */
    private boolean isTooOld(BacklogEntry entry, Instant now) {
        if (now.isAfter(entry.usefulUntil())) {
            return true;
        }
        TableLookup tables = TableLookup.of(own.session());
        return entry.statements().stream()
                .flatMap(statement -> statement.tables().stream())
                .flatMap(table -> tables.findTable(table.keyspace(), table.name()).stream())
                .map(TableLookup::gcGrace)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .map(grace -> BacklogEntry.usefulUntil(entry.timestamp(), grace, settings.graceMargin()))
                .filter(now::isAfter)
                .isPresent();
    }

    private CompletableFuture<Turn> failed(StoredEntry stored, Throwable failure) {
        if (DriverFailures.isUnauthorized(failure)) {
            return CompletableFuture.completedFuture(new Turn(Outcome.UNAUTHORIZED, failure));
        }
        if (WriteFailures.ofPlain(failure) == FailureKind.WRONG_STATEMENT
                || failure instanceof IllegalArgumentException) {
            String detail = "%s: %s. Fix: correct the schema or the rights and replay it, or discard it"
                    .formatted(failure.getClass().getSimpleName(), failure.getMessage());
            return buried(stored, DeadLetter.Reason.REJECTED, detail, new Turn(Outcome.REJECTED, failure));
        }
        return CompletableFuture.completedFuture(new Turn(Outcome.FAILED, failure));
    }

    private CompletableFuture<Turn> dead(StoredEntry stored, DeadLetter.Reason reason, String detail) {
        return buried(stored, reason, detail, new Turn(Outcome.DEAD, null));
    }

    /** What the disk does not take stays an entry, and its turn comes again. */
    private CompletableFuture<Turn> buried(StoredEntry stored, DeadLetter.Reason reason, String detail, Turn turn) {
        StoredEntry dead = stored.dead(shelf.clock().instant(), reason, detail);
        CompletableFuture<Boolean> noted = shelf.store().bury(dead);
        noting(turn.outcome(), noted);
        return noted.handle((done, failure) -> {
            if (failure != null) {
                return new Turn(Outcome.FAILED, DriverFailures.unwrapped(failure));
            }
            shelf.events().died(BacklogEntry.shown(dead, shelf.codec()));
            shelf.noteIfDrained();
            return turn;
        });
    }

    /**
     * Takes what is done out of the store, a page at a time: a full disk may have no room for more. After a crash it is
     * done once more, which changes nothing.
     */
    private void takeOut() {
        boolean goesOn = true;
        while (goesOn && !done.isEmpty()) {
            List<Long> page = done.stream().limit(PAGE).toList();
            CompletableFuture<Integer> taken = shelf.store().remove(page);
            noting(Outcome.DONE, taken);
            goesOn = taken.handle((many, failure) -> failure == null).join();
            if (goesOn) {
                page.forEach(done::remove);
                shelf.noteIfDrained();
            }
        }
    }

    private void noting(Outcome what, CompletableFuture<?> noted) {
        var unused = noted.whenComplete((done, failure) -> {
            if (failure != null && refused.add(what)) {
                log.warn(
                        "The backlog could not note what became of kept writes ({}). It tries again after each round",
                        what,
                        failure);
            } else if (failure == null && refused.remove(what)) {
                log.info("The backlog's store takes again what it refused ({})", what);
            }
        });
    }

    boolean isRefused() {
        return !refused.isEmpty();
    }

    @Nullable
    String lastFailure() {
        return lastFailure;
    }

    /** Begins nothing new, and waits a little for what is under way; what it does not see the end of is done again. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(SHUTDOWN_MILLIS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
