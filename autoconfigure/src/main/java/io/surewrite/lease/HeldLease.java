package io.surewrite.lease;

import io.surewrite.cql.ClockOffsetException;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.hold.WriteHolds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One hold, as its holder sees it. */
final class HeldLease implements WatchedLease {

    /** Room for a million writes under one token, and for 2^43 tokens. */
    private static final int FENCE_BITS = 20;

    private final Tenure tenure;
    private final LeaseParts parts;
    private final String name;
    private final long token;
    private final long begunAt;
    private final AtomicLong writes = new AtomicLong();
    private final CompletableFuture<ReleaseOutcome> outcome = new CompletableFuture<>();
    private volatile Duration held = Duration.ZERO;
    private boolean releasing;
    private @Nullable LossReason lossReason;
    private final List<Consumer<LossReason>> onLoss = new ArrayList<>(0);
    private WriteHolds.@Nullable Bound bound;
    private volatile boolean written;

    HeldLease(Tenure tenure, LeaseParts parts, long token, long begunAt) {
        this.tenure = tenure;
        this.parts = parts;
        this.name = tenure.claim().name();
        this.token = token;
        this.begunAt = begunAt;
    }

    long begunAt() {
        return begunAt;
    }

    UUID leaseId() {
        return tenure.claim().leaseId();
    }

    /** Like {@link #isHeld()}, but takes no notice: the end is not noted. */
    boolean looksHeld() {
        return tenure.looksHeld(this);
    }

    /** Notes its end, if that is due: after a pause of the process the timer may be late. */
    void noticeEnd() {
        tenure.noticeEnd(this);
    }

    /** Whether another hold of this process goes on with the same lease. */
    boolean isSucceeded() {
        HeldLease current = tenure.current();
        return current != null && current != this;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public long nextFence() {
        return (token << FENCE_BITS) + writes.incrementAndGet();
    }

    @Override
    public String holder() {
        return tenure.claim().holder();
    }

    @Override
    public @Nullable String payload() {
        return tenure.claim().payload();
    }

    @Override
    public boolean isHeld() {
        return tenure.isHeld(this);
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(tenure.remaining(this));
    }

    @Override
    public boolean renew() {
        return tenure.renew(this, tenure.claim().ttl()).join();
    }

    @Override
    public CompletionStage<Boolean> renewAsync() {
        return parts.handOut(tenure.renew(this, tenure.claim().ttl()));
    }

    @Override
    public CompletionStage<Boolean> renewAsync(Duration ttl) {
        parts.checkTtl(name, ttl);
        return parts.handOut(tenure.renew(this, ttl));
    }

    @Override
    public ReleaseOutcome release() {
        unbind();
        tenure.release(this, null);
        return outcome.join();
    }

    @Override
    public CompletionStage<ReleaseOutcome> releaseAsync() {
        unbind();
        tenure.release(this, null);
        return parts.handOut(outcome);
    }

    @Override
    public CompletionStage<ReleaseOutcome> releaseAfterAsync(Duration closedFor) {
        unbind();
        tenure.release(this, closedFor.isZero() || closedFor.isNegative() ? null : closedFor);
        return parts.handOut(outcome);
    }

    @Override
    public void onLost(Consumer<LossReason> action) {
        whenLost(reason -> parts.callbacks().execute(() -> action.accept(reason)));
    }

    @Override
    public void whenLost(Consumer<LossReason> action) {
        LossReason reason;
        synchronized (onLoss) {
            reason = lossReason;
            if (reason == null) {
                onLoss.add(action);
            }
        }
        if (reason != null) {
            action.accept(reason);
        }
    }

    // ---- what is written under it ----

    /** The thread that asked for it works under it from now on. */
    HeldLease bind() {
        bound = WriteHolds.bind(this);
        return this;
    }

    private void unbind() {
        if (bound != null) {
            bound.end();
        }
    }

    @Override
    public boolean permits(long timestamp) {
        if (!written) {
            written = true;
        }
        // It may come from another source.
        parts.timestamps().raise(timestamp);
        return isHeld() && tenure.covers(timestamp);
    }

    @Override
    public boolean hasWritten() {
        return written;
    }

    @Override
    public RuntimeException refusal(long timestamp) {
        if (!isHeld()) {
            return new LeaseLostException(
                    name,
                    "Lease '%s' is not held any more, and sure writes under it are made and reported done only while it is"
                            .formatted(name),
                    null);
        }
        return timestamp <= tenure.claim().floor()
                ? new ClockOffsetException(
                        "Write under lease '%s'".formatted(name),
                        "an earlier holder has written with the timestamp %d, and this process is at %d: the clock of one of them is wrong"
                                .formatted(tenure.claim().floor(), timestamp))
                : new LeaseLostException(
                        name,
                        "Lease '%s' is held, but its row does not cover a write with the timestamp %d yet: the clock of this process was set forward, or another write has raised its timestamps. Fix: try again after the next renewal, which covers it"
                                .formatted(name, timestamp),
                        null);
    }

    @Override
    public <T extends @Nullable Object> T call(Supplier<T> work) {
        WriteScope around = WriteScope.current();
        if (around != null && around.retried() && !WriteHolds.current().contains(this)) {
            throw new IllegalStateException(
                    "Lease '%s' is used inside a sure write that began without it: what is written would not be made under the lease. Fix: begin the sure write inside Lease.call"
                            .formatted(name));
        }
        CurrentLeases.push(this);
        try {
            return WriteHolds.call(this, work);
        } finally {
            CurrentLeases.pop(this);
        }
    }

    // ---- what the tenure tells ----

    /** False if a release has begun before. The lock of the tenure is held. */
    boolean startRelease() {
        if (releasing) {
            return false;
        }
        releasing = true;
        held = Duration.ofNanos(parts.time().nanos() - begunAt);
        return true;
    }

    void released(ReleaseOutcome result) {
        LossReason lost;
        synchronized (onLoss) {
            lost = lossReason;
        }
        ReleaseOutcome toHolder = lost == LossReason.CLOSED ? ReleaseOutcome.NOT_HELD : result;
        parts.listener().released(this, toHolder, held);
        outcome.complete(toHolder);
    }

    /** Ends it under the work that still runs. */
    void closeUnderWork() {
        tenure.close(this);
        // What runs in a scope goes on to be refused; a thread that has only not released it may serve another purpose.
        unbind();
    }

    /** {@return becomes what became of the release} */
    CompletionStage<ReleaseOutcome> outcome() {
        return outcome;
    }

    void lost(LossReason reason) {
        List<Consumer<LossReason>> actions;
        synchronized (onLoss) {
            lossReason = reason;
            actions = List.copyOf(onLoss);
        }
        parts.listener().lost(this, reason, Duration.ofNanos(parts.time().nanos() - begunAt));
        actions.forEach(action -> action.accept(reason));
    }

    @Override
    public String toString() {
        return "Lease[%s, token %d]".formatted(name, token);
    }
}
