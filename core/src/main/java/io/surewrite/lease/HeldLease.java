package io.surewrite.lease;

import io.surewrite.internal.observe.Observed;
import io.surewrite.lease.LeaseProtocol.Tenure;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.WriteHolds;
import io.surewrite.write.WriteHolds.WriteHold;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One hold, as its holder sees it, and what is written under it. */
final class HeldLease implements Lease, WriteHold {

    /** Room for a million writes under one token, and for 2^43 tokens. */
    private static final int FENCE_BITS = 20;

    final Tenure tenure;
    final CompletableFuture<ReleaseOutcome> outcome = new CompletableFuture<>();

    private final LeaseContext context;
    private final String name;
    private final long token;
    private final long begunAt;

    /** This process has drawn no timestamp above it before the hold began, and no earlier holder has, as far as is known. */
    private final long floor;

    private final AtomicLong writes = new AtomicLong();
    private volatile Duration held = Duration.ZERO;

    /** Changed under the lock of the queue. */
    private volatile boolean releasing;

    private final CompletableFuture<LossReason> loss = new CompletableFuture<>();
    private WriteHolds.@Nullable Bound bound;
    private volatile boolean written;

    /** Both are told on threads of their own, in any order. The first end counts: what was lost is released later. */
    final CompletableFuture<Observed> observed = new CompletableFuture<>();

    final CompletableFuture<String> observedEnd = new CompletableFuture<>();

    HeldLease(Tenure tenure, LeaseContext context, long token, long begunAt) {
        this.tenure = tenure;
        this.context = context;
        this.name = tenure.claim.name();
        this.token = token;
        this.begunAt = begunAt;
        this.floor = context.highest(tenure.claim.floor());
        var unused = observed.thenAcceptBoth(observedEnd, Observed::stop);
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
        return tenure.claim.holder();
    }

    @Override
    public boolean isHeld() {
        return !releasing && tenure.isHeld(this);
    }

    /** Whether it is held there under this name: those of another session may have the same name. */
    boolean isIn(LeaseContext leases, String ofName) {
        return name.equals(ofName) && context.equals(leases) && isHeld();
    }

    @Override
    public Duration remaining() {
        return releasing ? Duration.ZERO : Duration.ofNanos(tenure.remaining(this));
    }

    @Override
    public boolean renew() {
        return tenure.renew(this).join();
    }

    @Override
    public CompletionStage<Boolean> renewAsync() {
        return context.handOut(tenure.renew(this));
    }

    @Override
    public ReleaseOutcome release() {
        return end().join();
    }

    @Override
    public CompletionStage<ReleaseOutcome> releaseAsync() {
        return context.handOut(end());
    }

    private CompletableFuture<ReleaseOutcome> end() {
        unbind();
        tenure.release(this);
        return outcome;
    }

    @Override
    public void onLost(Consumer<LossReason> action) {
        // Not by the future: it would keep what the action throws to itself.
        var unused = loss.thenAccept(reason -> context.callbacks().execute(() -> action.accept(reason)));
    }

    /** Like {@link #onLost}, but on the thread that notices the loss: the action must be short. */
    void whenLost(Runnable action) {
        var unused = loss.thenRun(action);
    }

    @Override
    public <T extends @Nullable Object> T call(Supplier<T> work) {
        WriteScope around = WriteScope.current();
        if (around != null && around.retried() && !WriteHolds.current().contains(this)) {
            throw new IllegalStateException(
                    "Lease '%s' is used inside a sure write that began without it: what is written would not be made under the lease. Fix: begin the sure write inside Lease.call"
                            .formatted(name));
        }
        return LeaseAssert.during(this, lease -> WriteHolds.call(this, work));
    }

    // ---- what is written under it ----

    void bind() {
        bound = WriteHolds.bind(this);
    }

    private void unbind() {
        if (bound != null) {
            bound.end();
        }
    }

    @Override
    public boolean permits(long timestamp) {
        written = true;
        // It may come from another source. Up to what is reserved the table lets no later hold draw one, and what
        // cannot be followed, no release would leave to the next holder.
        return timestamp > floor
                && isHeld()
                && timestamp <= tenure.claim.reserved()
                && context.timestamps().raise(timestamp);
    }

    boolean hasWritten() {
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
        long left = tenure.claim.floor();
        if (timestamp <= left && context.timestamps().highest() < left) {
            return new ClockOffsetException(
                    "Write under lease '%s'".formatted(name),
                    "an earlier holder has written with the timestamp %d, and this process is at %d: the clock of one of them is wrong"
                            .formatted(left, timestamp));
        }
        if (timestamp <= floor) {
            return new IllegalStateException(
                    "Write under lease '%s': nothing was sent, as its timestamp %d was chosen before the lease was acquired, at %d: it would stay hidden behind a write of an earlier holder. Fix: let it draw its timestamp under the lease, or choose a later one"
                            .formatted(name, timestamp, floor));
        }
        if (!context.timestamps().raise(timestamp)) {
            return new IllegalStateException(
                    "Write under lease '%s': nothing was sent, as its timestamp %d lies farther ahead than clocks may be apart: it would hide what the next holders write. Fix: let it draw its timestamp under the lease, or choose one that is not ahead"
                            .formatted(name, timestamp));
        }
        return new LeaseLostException(
                name,
                "Lease '%s' is held, but its row does not cover a write with the timestamp %d yet: the clock of this process was set forward, or another write has raised its timestamps. Fix: try again after the next renewal, which covers it"
                        .formatted(name, timestamp),
                null);
    }

    // ---- how it ends ----

    /** False if a release has begun before. The lock of the queue is held. */
    boolean startRelease() {
        if (releasing) {
            return false;
        }
        releasing = true;
        held = Duration.ofNanos(context.time().nanos() - begunAt);
        return true;
    }

    void released(ReleaseOutcome result) {
        ReleaseOutcome toHolder = loss.isDone() ? ReleaseOutcome.NOT_HELD : result;
        context.events().released(this, toHolder, held);
        outcome.complete(toHolder);
    }

    void closeUnderWork() {
        tenure.close(this);
        // What runs in a scope goes on to be refused; a thread that has only not released it may serve another purpose.
        unbind();
    }

    void lost(LossReason reason) {
        context.events().lost(this, reason, Duration.ofNanos(context.time().nanos() - begunAt));
        loss.complete(reason);
    }

    @Override
    public String toString() {
        return "Lease[" + name + ", token " + token + "]";
    }
}
