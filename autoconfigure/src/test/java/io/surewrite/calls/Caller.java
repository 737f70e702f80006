package io.surewrite.calls;

import io.surewrite.calls.Report.Outcome;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.ReactiveLeases;
import io.surewrite.retry.WriteRetryTemplate;
import io.surewrite.write.FailureKind;
import io.surewrite.write.PartlyDoneException;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteFailures;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.cassandra.core.CassandraTemplate;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Makes calls as an application does, and says what it understood. */
final class Caller {

    private static final Duration WAIT_FOR_LEASE = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofSeconds(30);
    /** With what is lost and late, some are over before the work is done. */
    private static final Duration SHORT = Duration.ofSeconds(3);

    private static final Duration LONGEST_CALL = Duration.ofMinutes(2);

    private final Notes notes;
    private final ReactiveNotes reactiveNotes;
    private final Desk desk;
    private final CassandraTemplate template;
    private final LeaseLocks locks;
    private final WriteRetryTemplate retry;
    private final Plant plant;

    Caller(ListableBeanFactory application, Plant plant) {
        notes = application.getBean(Notes.class);
        reactiveNotes = application.getBean(ReactiveNotes.class);
        desk = application.getBean(Desk.class);
        template = application.getBean(CassandraTemplate.class);
        locks = application.getBean(LeaseLocks.class);
        retry = application.getBean("cassandraRetryTemplate", WriteRetryTemplate.class);
        this.plant = plant;
    }

    Report make(Call call) {
        Map<String, Long> begins = new ConcurrentHashMap<>();
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        long begin = System.nanoTime();
        Throwable failure = null;
        try {
            run(call, begins, acknowledged);
        } catch (Exception thrown) {
            failure = unwrap(thrown);
        }
        long end = System.nanoTime();
        int attempts = desk.attempts(call.first());
        if (call.kind().isLeased()) {
            Long decided = desk.decided().get(call.first().mark());
            if (decided != null) {
                begins.put(call.first().mark(), decided);
            }
        }
        return new Report(call, outcome(failure), begin, begins, end, acknowledged, done(failure), attempts, failure);
    }

    private void run(Call call, Map<String, Long> begins, Set<String> acknowledged) throws Exception {
        switch (call.kind()) {
            case SAVE -> notes.save(call.first());
            case SAVE_ALL -> notes.saveAll(call.notes());
            case REACTIVE_SAVE -> reactiveNotes.save(call.first()).block(LONGEST_CALL);
            case REACTIVE_SAVE_ALL -> reactiveNotes.saveAll(call.notes()).blockLast(LONGEST_CALL);
            case STREAM -> stream(call, begins, acknowledged);
            case BEAN -> desk.pin(call.notes());
            case BEAN_LATER -> desk.pinLater(call.notes()).join();
            case BEAN_REACTIVE -> desk.pinReactively(call.notes()).block(LONGEST_CALL);
            case ELSEWHERE -> desk.pinElsewhere(call.notes()).block(LONGEST_CALL);
            case BATCH -> desk.pinAtOnce(call.notes());
            case NESTED ->
                desk.pinByOthers(call.first(), call.notes().get(1), call.notes().get(2));
            case BY_HAND ->
                retry.execute("Caller.byHand", () -> {
                    call.notes().forEach(template::insert);
                    return null;
                });
            case KEPT -> desk.keep(call.first());
            case KEPT_AT_ONCE -> desk.keepAtOnce(call.notes());
            case CANCELLED_KEPT -> cancel(desk.keepLater(call.first()), call.patience());
            case CANCELLED_FUTURE -> cancel(desk.pinLater(call.notes()), call.patience());
            case DISPOSED -> dispose(desk.pinReactively(call.notes()), call.patience());
            case INTERRUPTED -> interrupt(() -> desk.pin(call.notes()), call.patience());
            case LEASED -> desk.appendUnderLease(call.first(), call.rest());
            case LEASED_LATER ->
                locks.callUnderAsync(request(call), WAIT_FOR_LEASE, lease -> desk.appendLater(call.first()))
                        .toCompletableFuture()
                        .join();
            case LEASED_REACTIVE ->
                new ReactiveLeases(locks)
                        .mono(request(call), WAIT_FOR_LEASE, lease -> desk.appendReactively(call.first()))
                        .block(LONGEST_CALL);
            case LEASED_DISPOSED ->
                dispose(
                        new ReactiveLeases(locks)
                                .mono(request(call), WAIT_FOR_LEASE, lease -> desk.appendReactively(call.first())),
                        call.patience());
        }
    }

    /** Its elements come one by one. */
    private void stream(Call call, Map<String, Long> begins, Set<String> acknowledged) {
        Flux<Note> stream = Flux.fromIterable(call.notes())
                .delayElements(call.patience().dividedBy(10))
                .doOnNext(note -> begins.put(note.mark(), System.nanoTime()));
        reactiveNotes
                .saveAll(stream)
                .doOnNext(note -> acknowledged.add(note.mark()))
                .blockLast(LONGEST_CALL);
    }

    private static void cancel(CompletableFuture<?> call, Duration patience) throws InterruptedException {
        if (!ends(call, patience)) {
            call.cancel(true);
        }
        call.join();
    }

    static void dispose(Mono<?> call, Duration patience) throws InterruptedException {
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        Disposable subscription =
                call.subscribe(nothing -> {}, outcome::completeExceptionally, () -> outcome.complete(null));
        if (!ends(outcome, patience)) {
            subscription.dispose();
            outcome.cancel(true);
        }
        outcome.join();
    }

    private static boolean ends(CompletableFuture<?> call, Duration patience) throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        var unused = call.whenComplete((value, failure) -> end.countDown());
        return end.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** The answer of an interrupted call counts. */
    static void interrupt(Runnable call, Duration patience) throws InterruptedException {
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        call.run();
                        outcome.complete(null);
                    } catch (RuntimeException | Error failure) {
                        outcome.completeExceptionally(failure);
                    }
                },
                "interrupted-caller");
        thread.start();
        if (!ends(outcome, patience)) {
            thread.interrupt();
        }
        outcome.join();
    }

    private static LeaseRequest request(Call call) {
        String name = call.first().board();
        return LeaseRequest.of(name).withTtl(Call.isShort(name) ? SHORT : LONG);
    }

    private Outcome outcome(@Nullable Throwable failure) {
        if (failure == null) {
            return Outcome.DONE;
        } else if (failure instanceof CancellationException) {
            return Outcome.GIVEN_UP;
        } else if (failure instanceof UnknownOutcomeException) {
            return plant == Plant.OUTCOME_OF_THE_LAST_STATEMENT && didNothing(last(failure))
                    ? Outcome.NOT_DONE
                    : Outcome.UNKNOWN;
        }
        return Outcome.NOT_DONE;
    }

    private static @Nullable Throwable last(Throwable failure) {
        return failure.getSuppressed().length > 0 ? failure.getSuppressed()[0] : failure.getCause();
    }

    private static boolean didNothing(@Nullable Throwable failure) {
        return failure != null && WriteFailures.ofPlain(failure) == FailureKind.NOT_APPLIED;
    }

    private static int done(@Nullable Throwable failure) {
        return failure instanceof PartlyDoneException partly ? partly.done() : 0;
    }

    static Throwable unwrap(Throwable thrown) {
        Throwable failure = Exceptions.unwrap(thrown);
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
