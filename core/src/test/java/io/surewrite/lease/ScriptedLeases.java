package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.clock.SimClocks;
import io.surewrite.lease.Lease.LossReason;
import io.surewrite.lease.Lease.ReleaseOutcome;
import io.surewrite.lease.LeaseStore.LeaseAnswer;
import io.surewrite.lease.LeaseStore.LeaseRow;
import io.surewrite.lease.LeaseStore.LeaseWrite;
import io.surewrite.test.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The leases of one process, whose table a test plays, in a time that it makes. Jitter always makes three quarters of a pause. */
final class ScriptedLeases {

    static final LeaseSettings SETTINGS = LeaseSettings.defaults("me");

    /** What a lease with the ttl of the settings can be counted on for. */
    static final Duration USABLE = Duration.ofMillis(28_500);

    final ManualClock time = new ManualClock(-5); // clocks of nanoseconds begin anywhere

    /** What is known to be wrong with the clocks of the nodes. */
    final AtomicReference<@Nullable String> apart = new AtomicReference<>();

    /** By how many nanoseconds somebody has set the clock of the machine forward. */
    final AtomicLong setForward = new AtomicLong();

    final List<String> events = new ArrayList<>();
    final ProcessLeases locks;

    private final Deque<Sent> sent = new ArrayDeque<>();

    ScriptedLeases() {
        this(SETTINGS);
    }

    ScriptedLeases(LeaseSettings settings) {
        LeaseContext parts = new LeaseContext(
                new Table(),
                new Time(),
                apart::get,
                SimClocks.timestamps(() -> 1_000_000_000L + time.nanos() / 1_000),
                PlantedLeaseBug.NOTHING.rules(settings, 2),
                settings,
                UUID::randomUUID,
                () -> 0.5,
                new Events(),
                Runnable::run);
        locks = new ProcessLeases(parts, () -> events.add("closed"));
    }

    /** {@return the settings with a longest hold} */
    static LeaseSettings heldAtMost(Duration maxHold) {
        return new LeaseSettings("me", SETTINGS.ttl(), SETTINGS.skewMargin(), maxHold, SETTINGS.attemptTimeout());
    }

    /** A statement that waits for its answer. */
    static final class Sent {

        final String kind;
        final Set<UUID> heldIds;
        final @Nullable LeaseWrite claim;
        private final CompletableFuture<LeaseAnswer> answer = new CompletableFuture<>();
        private final CompletableFuture<LeaseRow> row = new CompletableFuture<>();

        Sent(String kind, Set<UUID> heldIds, @Nullable LeaseWrite claim) {
            this.kind = kind;
            this.heldIds = Set.copyOf(heldIds);
            this.claim = claim;
        }

        UUID id() {
            return claim().leaseId();
        }

        LeaseWrite claim() {
            if (claim == null) {
                throw new AssertionError(kind + " claims nothing");
            }
            return claim;
        }

        void done() {
            answer.complete(new LeaseAnswer.Done());
        }

        void refused(long epoch, @Nullable UUID leaseId) {
            answer.complete(new LeaseAnswer.Refused(epoch, leaseId, null));
        }

        void unclear() {
            answer.completeExceptionally(new IllegalStateException("no answer"));
        }

        void shows(long epoch, @Nullable UUID leaseId, Duration remaining) {
            row.complete(new LeaseRow(epoch, leaseId, leaseId == null ? null : "another", remaining, 0));
        }
    }

    /** {@return the statement that is on its way, of this kind and alone} */
    Sent next(String kind) {
        assertThat(sent).extracting(statement -> statement.kind).containsExactly(kind);
        return sent.remove();
    }

    void nothingSent() {
        assertThat(sent).extracting(statement -> statement.kind).isEmpty();
    }

    /** Nothing is sent before so much time is over, and this then. */
    Sent nextAfter(Duration pause, String kind) {
        time.advance(pause.minusNanos(1));
        nothingSent();
        time.advance(Duration.ofNanos(1));
        return next(kind);
    }

    CompletableFuture<Optional<Lease>> ask(LeaseRequest request) {
        return locks.tryAcquireAsync(request).toCompletableFuture();
    }

    CompletableFuture<Optional<Lease>> ask(LeaseRequest request, Duration wait) {
        return locks.tryAcquireAsync(request, wait).toCompletableFuture();
    }

    void somebodyAsks(LeaseRequest request) {
        locks.tryAcquireAsync(request);
    }

    void somebodyAsks(LeaseRequest request, Duration wait) {
        locks.tryAcquireAsync(request, wait);
    }

    /** {@return a lease that the table has given at once} */
    Lease acquired(LeaseRequest request) {
        CompletableFuture<Optional<Lease>> asked = ask(request);
        next("acquire").done();
        return asked.join().orElseThrow();
    }

    private final class Time implements LeaseTime {

        @Override
        public long nanos() {
            return time.nanos() + setForward.get();
        }

        @Override
        public long awakeNanos() {
            return time.nanos();
        }

        @Override
        public Runnable after(long nanos, Runnable task) {
            return time.after(nanos, task);
        }
    }

    private final class Table implements LeaseStore {

        private Sent send(String kind, Set<UUID> heldIds, @Nullable LeaseWrite claim) {
            Sent statement = new Sent(kind, heldIds, claim);
            sent.add(statement);
            return statement;
        }

        @Override
        public CompletionStage<LeaseAnswer> acquire(LeaseWrite claim, Duration timeout) {
            return send("acquire", Set.of(), claim).answer;
        }

        @Override
        public CompletionStage<LeaseAnswer> renew(Set<UUID> heldIds, LeaseWrite claim, Duration timeout) {
            return send("renew", heldIds, claim).answer;
        }

        @Override
        public CompletionStage<LeaseAnswer> release(String name, Set<UUID> heldIds, long writeTs, Duration timeout) {
            return send("release", heldIds, null).answer;
        }

        @Override
        public CompletionStage<LeaseRow> read(String name) {
            return send("read", Set.of(), null).row;
        }
    }

    private final class Events extends LeaseEvents {

        Events() {
            super(ObservationRegistry.NOOP);
        }

        @Override
        void acquired(Waiter waiter, HeldLease lease, boolean handedOver) {
            super.acquired(waiter, lease, handedOver);
            events.add("acquired after %s%s".formatted(waiter.waited(), handedOver ? ", handed over" : ""));
        }

        @Override
        void notAcquired(Waiter waiter, @Nullable RuntimeException trouble, boolean told) {
            super.notAcquired(waiter, trouble, told);
            events.add("not acquired after %s%s".formatted(waiter.waited(), trouble == null ? "" : ", unavailable"));
        }

        @Override
        void renewed(String name, boolean confirmed, boolean clear) {
            super.renewed(name, confirmed, clear);
            events.add("renewed " + confirmed);
        }

        @Override
        void lost(HeldLease lease, LossReason reason, Duration held) {
            super.lost(lease, reason, held);
            events.add("lost %s after %s".formatted(reason, held));
        }

        @Override
        void released(HeldLease lease, ReleaseOutcome outcome, Duration held) {
            super.released(lease, outcome, held);
            events.add("released %s after %s".formatted(outcome, held));
        }
    }
}
