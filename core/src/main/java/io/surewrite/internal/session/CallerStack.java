package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.DriverException;
import io.surewrite.write.WriteFailures.CopyableFailure;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/**
 * Shows who called in what a blocking call throws: an asynchronous step fails on another thread, and other callers may get the same
 * failure, so each gets a copy. Where none can be made, what called is suppressed in it.
 */
final class CallerStack {

    private static final String OURS = "io.surewrite.";

    private static final Set<String> HERE = Set.of(CallerStack.class.getName(), DriverFailures.class.getName());

    /** A failure that is kept, and thrown to all who ask, must not grow for ever. */
    private static final int MOST_CALLERS = 4;

    private CallerStack() {}

    /** {@return the failure itself if it shows the caller, or can be no other; else a copy of it} */
    static Throwable addedTo(Throwable failure) {
        StackTraceElement[] met = failure.getStackTrace();
        StackTraceElement[] caller = ofCaller();
        if (shows(met, caller)) {
            return failure;
        }
        RuntimeException copy = copyOf(failure);
        if (copy == null) {
            suppress(failure, caller);
            return failure;
        }
        copy.setStackTrace(Stream.concat(
                        Stream.of(met).filter(frame -> frame.getClassName().startsWith(OURS)), Stream.of(caller))
                .toArray(StackTraceElement[]::new));
        if (copy.getCause() != failure) {
            Stream.of(failure.getSuppressed()).forEach(copy::addSuppressed);
        }
        return copy;
    }

    private static StackTraceElement[] ofCaller() {
        return Stream.of(new Throwable().getStackTrace())
                .dropWhile(frame -> HERE.contains(frame.getClassName()))
                .toArray(StackTraceElement[]::new);
    }

    /** Whether the caller itself met it, or is shown already. The method that waits may be at another line by now. */
    private static boolean shows(StackTraceElement[] met, StackTraceElement[] caller) {
        int common = caller.length - 1;
        return common > 0
                && met.length >= common
                && Arrays.equals(met, met.length - common, met.length, caller, 1, caller.length);
    }

    /** What Spring Data made of a failure of the driver is made once more. */
    private static @Nullable RuntimeException copyOf(Throwable failure) {
        RuntimeException copy = null;
        if (failure instanceof CopyableFailure own) {
            copy = own.copy();
        } else if (failure instanceof DriverException driver) {
            copy = driver.copy();
        } else if (failure instanceof DataAccessException && failure.getCause() instanceof DriverException driver) {
            copy = DriverFailures.translated(driver);
        }
        return copy != null
                        && copy != failure
                        && copy.getClass() == failure.getClass()
                        && Objects.equals(copy.getMessage(), failure.getMessage())
                ? copy
                : null;
    }

    private static void suppress(Throwable failure, StackTraceElement[] caller) {
        List<Throwable> callers = Stream.of(failure.getSuppressed())
                .filter(Caller.class::isInstance)
                .toList();
        boolean shown = callers.stream().anyMatch(known -> shows(known.getStackTrace(), caller));
        // An error of the machine may be one that it made in advance, for all threads.
        if (!shown && callers.size() < MOST_CALLERS && !(failure instanceof VirtualMachineError)) {
            failure.addSuppressed(new Caller(caller));
        }
    }

    private static final class Caller extends RuntimeException {

        private Caller(StackTraceElement[] stack) {
            super("Thread '%s' called, and waited for it"
                    .formatted(Thread.currentThread().getName()));
            setStackTrace(stack);
        }
    }
}
