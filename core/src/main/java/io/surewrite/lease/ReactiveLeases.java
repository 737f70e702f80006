package io.surewrite.lease;

import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.WriteHolds.WriteHold;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reactive work under leases. Sure writes of the work are made under the lease: their timestamps are drawn under it, and
 * they are made, and reported done, only while it is held.
 *
 * <p>The subscription carries the lease, and no thread does. A blocking sure write of the work, such as in {@link
 * Mono#fromCallable}, is made under the lease only inside of {@link Lease#call}: {@code Mono.fromCallable(() ->
 * lease.call(() -> repository.save(row))).subscribeOn(Schedulers.boundedElastic())}. Context propagation carries the scope
 * of a write to other threads, but no lease.
 */
public final class ReactiveLeases {

    private final LeaseLocks locks;

    /** Over these leases. */
    public ReactiveLeases(LeaseLocks locks) {
        this.locks = locks;
    }

    /**
     * Works under a lease, and releases it when the work is done, has failed or is cancelled.
     *
     * @param wait how long to wait for it at most
     * @param work what to do; subscribed to once, under the lease
     * @return signals what the work does, or a {@link LeaseNotAcquiredException}, or how {@link
     *     LeaseLocks#tryAcquireAsync(LeaseRequest, Duration)} fails
     */
    public <T> Mono<T> mono(LeaseRequest request, Duration wait, Function<Lease, Mono<T>> work) {
        return Mono.usingWhen(
                acquired(request, wait),
                lease -> Mono.defer(() -> work.apply(lease)).contextWrite(ReactiveWriteScope.enter((WriteHold) lease)),
                ReactiveLeases::release);
    }

    /** Like {@link #mono}, for work that returns many values. */
    public <T> Flux<T> flux(LeaseRequest request, Duration wait, Function<Lease, Flux<T>> work) {
        return Flux.usingWhen(
                acquired(request, wait),
                lease -> Flux.defer(() -> work.apply(lease)).contextWrite(ReactiveWriteScope.enter((WriteHold) lease)),
                ReactiveLeases::release);
    }

    private Mono<Lease> acquired(LeaseRequest request, Duration wait) {
        return Mono.deferContextual(context -> {
            WriteScope around = ReactiveWriteScope.current(context);
            // Inside a write the locks refuse.
            CompletionStage<Optional<Lease>> asked = around == null
                    ? locks.tryAcquireAsync(request, wait)
                    : around.call(() -> locks.tryAcquireAsync(request, wait));
            // The stage is not the subscriber's to cancel, and throws if it is: that would be logged as an error.
            return Mono.fromFuture(asked.toCompletableFuture(), true)
                    .map(lease -> lease.orElseThrow(() -> new LeaseNotAcquiredException(request.name(), wait, null)))
                    // No subscriber takes it: it would be renewed for ever.
                    .doOnCancel(() -> asked.thenAccept(lease -> lease.ifPresent(Lease::releaseAsync)));
        });
    }

    private static Publisher<?> release(Lease lease) {
        return Mono.fromFuture(lease.releaseAsync().toCompletableFuture(), true);
    }
}
