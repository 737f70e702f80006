package io.surewrite.retry;

import io.surewrite.cql.ClockOffsetException;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.PartlyDoneException;
import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.cql.hold.WriteHold;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The writes of one stream, each a logical write of its own, and what became of them together. */
final class StreamedWrites<E, T> {

    private final String operation;
    private final WriteRetryTemplate template;
    private final Function<E, Mono<T>> write;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();

    /**
     * @param write of one element
     */
    StreamedWrites(String operation, WriteRetryTemplate template, Function<E, Mono<T>> write) {
        this.operation = operation;
        this.template = template;
        this.write = write;
    }

    Mono<T> write(E element) {
        begun.incrementAndGet();
        return new ReactiveWriteRetry(template)
                .mono(operation, Mono.defer(() -> write.apply(element)))
                .doOnSuccess(answer -> done.incrementAndGet())
                .doOnError(failure -> failed.compareAndSet(null, failure));
    }

    /** What the caller gets when the stream fails, or one of its elements: by then the others are cancelled. */
    Throwable failure(Throwable failure) {
        boolean unknown = failure instanceof UnknownOutcomeException;
        if (failure != failed.get() || !(unknown || isOfThisWrite(failure))) {
            return failure; // the caller's own
        }
        int acknowledged = done.get();
        int undecided = begun.get() - acknowledged - (unknown ? 0 : 1);
        if (acknowledged == 0 && undecided == (unknown ? 1 : 0)) {
            return failure;
        }
        String message =
                "%s: an element failed for good after %d had been written; %d more may be in effect, now or later. Calling it again with the same elements settles it"
                        .formatted(operation, acknowledged, undecided);
        return acknowledged == 0
                ? new UnknownOutcomeException(message, failure)
                : new PartlyDoneException(message, failure, acknowledged, undecided);
    }

    /** Whether the cluster failed, or the retry did not begin: no code of the caller has decided that the stream ends. */
    private boolean isOfThisWrite(Throwable failure) {
        return failure instanceof WriteCircuitOpenException
                || failure instanceof ClockOffsetException
                || failure instanceof WriteHold.Lost
                || template.classify(failure) != FailureKind.OTHER;
    }
}
