package io.surewrite.lease;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One lease for several acquisitions of one thread; it ends with the last of them. */
final class SharedLease {

    private final WatchedLease lease;
    private final Consumer<SharedLease> onEnd;
    private int parts;

    SharedLease(WatchedLease lease, Consumer<SharedLease> onEnd) {
        this.lease = lease;
        this.onEnd = onEnd;
    }

    String name() {
        return lease.name();
    }

    /** The first part, whatever became of the lease meanwhile. */
    synchronized Lease firstPart() {
        parts++;
        return new Part();
    }

    /** One more part, or empty if the lease has ended. */
    synchronized Optional<Lease> anotherPart() {
        return parts > 0 && lease.isHeld() ? Optional.of(firstPart()) : Optional.empty();
    }

    private synchronized boolean isLastToGo() {
        return --parts == 0;
    }

    private final class Part implements WatchedLease {

        private final AtomicBoolean ended = new AtomicBoolean();
        private volatile CompletionStage<ReleaseOutcome> outcome =
                CompletableFuture.completedFuture(ReleaseOutcome.UNKNOWN);

        @Override
        public String name() {
            return lease.name();
        }

        @Override
        public long token() {
            return lease.token();
        }

        @Override
        public long nextFence() {
            return lease.nextFence();
        }

        @Override
        public String holder() {
            return lease.holder();
        }

        @Override
        public @Nullable String payload() {
            return lease.payload();
        }

        @Override
        public boolean isHeld() {
            return !ended.get() && lease.isHeld();
        }

        @Override
        public Duration remaining() {
            return ended.get() ? Duration.ZERO : lease.remaining();
        }

        @Override
        public boolean permits(long timestamp) {
            return !ended.get() && lease.permits(timestamp);
        }

        @Override
        public RuntimeException refusal(long timestamp) {
            return lease.refusal(timestamp);
        }

        @Override
        public boolean hasWritten() {
            return lease.hasWritten();
        }

        @Override
        public <T extends @Nullable Object> T call(Supplier<T> work) {
            return lease.call(work);
        }

        @Override
        public boolean renew() {
            return !ended.get() && lease.renew();
        }

        @Override
        public CompletionStage<Boolean> renewAsync() {
            return ended.get() ? CompletableFuture.completedStage(false) : lease.renewAsync();
        }

        @Override
        public CompletionStage<Boolean> renewAsync(Duration ttl) {
            return ended.get() ? CompletableFuture.completedStage(false) : lease.renewAsync(ttl);
        }

        @Override
        public ReleaseOutcome release() {
            return releaseAsync().toCompletableFuture().join();
        }

        @Override
        public CompletionStage<ReleaseOutcome> releaseAsync() {
            return releaseAfterAsync(Duration.ZERO);
        }

        @Override
        public CompletionStage<ReleaseOutcome> releaseAfterAsync(Duration closedFor) {
            if (ended.compareAndSet(false, true)) {
                outcome = isLastToGo() ? end(closedFor) : partial();
            }
            return outcome;
        }

        private CompletionStage<ReleaseOutcome> end(Duration closedFor) {
            onEnd.accept(SharedLease.this);
            return lease.releaseAfterAsync(closedFor);
        }

        private CompletionStage<ReleaseOutcome> partial() {
            return CompletableFuture.completedStage(lease.isHeld() ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD);
        }

        @Override
        public void onLost(Consumer<LossReason> action) {
            lease.onLost(action);
        }

        @Override
        public void whenLost(Consumer<LossReason> action) {
            lease.whenLost(action);
        }

        @Override
        public String toString() {
            return lease + " (shared)";
        }
    }
}
