package io.surewrite.unique;

import io.surewrite.internal.session.DriverFailures;
import io.surewrite.unique.WholeTable.UniqueScanSettings;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs asynchronous steps for one thread, some at a time and so many in a second, until one fails. */
final class BoundedSteps {

    private final UniqueScanSettings settings;
    private final Semaphore room;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final long startedAt = System.nanoTime();
    private long begun;

    BoundedSteps(UniqueScanSettings settings) {
        this.settings = settings;
        this.room = new Semaphore(settings.inFlight());
    }

    void begin(Supplier<? extends CompletionStage<?>> step) {
        acquire(1);
        begun++;
        CompletionStage<?> stage;
        try {
            keepPace();
            stage = step.get();
        } catch (RuntimeException thrown) {
            room.release();
            throw thrown;
        }
        var unused = stage.whenComplete((done, thrown) -> {
            if (thrown != null) {
                failure.compareAndSet(null, DriverFailures.unwrapped(thrown));
            }
            room.release();
        });
    }

    void await() {
        acquire(settings.inFlight());
        room.release(settings.inFlight());
        throwFailure();
    }

    private void acquire(int permits) {
        throwFailure();
        try {
            room.acquire(permits);
        } catch (InterruptedException interrupted) {
            throw interrupted();
        }
    }

    private void keepPace() {
        if (settings.rowsPerSecond() == 0) {
            return;
        }
        long due = startedAt + TimeUnit.SECONDS.toNanos(begun) / settings.rowsPerSecond();
        try {
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        } catch (InterruptedException interrupted) {
            throw interrupted();
        }
    }

    static IllegalStateException interrupted() {
        Thread.currentThread().interrupt();
        return new IllegalStateException("Interrupted while looking at unique values; it can be called again");
    }

    private void throwFailure() {
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw DriverFailures.thrownHere(thrown);
        }
    }
}
