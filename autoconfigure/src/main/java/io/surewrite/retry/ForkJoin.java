package io.surewrite.retry;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells from a failure whether its attempt has spread over threads of a fork-join pool, as parallel streams do: then parts
 * of it ran outside the scope, whatever became of them. The thread that began the stream runs a part itself, so that its
 * stack shows both.
 */
final class ForkJoin {

    private static final int MAX_FAILURES = 50;

    private ForkJoin() {}

    static boolean isInside(Throwable failure) {
        return isInside(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static boolean isInside(@Nullable Throwable failure, Set<Throwable> looked) {
        if (failure == null || looked.size() >= MAX_FAILURES || !looked.add(failure)) {
            return false;
        }
        if (isInside(failure.getStackTrace())) {
            return true;
        }
        for (Throwable suppressed : failure.getSuppressed()) {
            if (isInside(suppressed, looked)) {
                return true;
            }
        }
        return isInside(failure.getCause(), looked);
    }

    /** A task of a pool, run by an attempt; an attempt that is run by a task stands the other way round. */
    private static boolean isInside(StackTraceElement[] stack) {
        boolean task = false;
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            if (type.equals("java.util.concurrent.ForkJoinTask")) {
                task = true;
            } else if (task && (type.equals(WriteRetryTemplate.class.getName()) || type.startsWith("reactor.core."))) {
                return true;
            }
        }
        return false;
    }
}
