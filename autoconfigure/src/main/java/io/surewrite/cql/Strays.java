package io.surewrite.cql;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.analysis.StatementText;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of writes that a call sent outside its scope. The first attempt does no harm with them. A second one would
 * send them with a newer timestamp, and override what others wrote in between.
 *
 * <p>Threads that are made in a scope inherit this, and not the scope: a thread of a pool lives longer than the call that
 * it was made in, and works for others too. So such a thread proves little, but enough to refrain from another attempt.
 */
final class Strays {

    private volatile @Nullable String thread;

    /** A write, or another call, began on this thread, which was made in the scope and is not in it. */
    void seenHere() {
        thread = Thread.currentThread().getName();
    }

    /** Like {@link #seenHere()}, unless the statement means the same at any time. */
    void seenHere(Statement<?> statement) {
        if (thread == null && StatementText.drawsTimestamp(statement)) {
            seenHere();
        }
    }

    /** Why an attempt after this failure would not repeat what the call did, or null if nothing is known against it. */
    @Nullable
    String after(Throwable failure) {
        String seen = thread;
        if (seen != null) {
            return "the thread '%s', which it has made, wrote outside its scope".formatted(seen);
        }
        return failedOutside(failure, Collections.newSetFromMap(new IdentityHashMap<>()))
                ? "the statement that failed was sent outside its scope"
                : null;
    }

    /** Whether a statement that failed had no timestamp, so that the driver stamped it. */
    private static boolean failedOutside(@Nullable Throwable failure, Set<Throwable> looked) {
        if (failure == null || !looked.add(failure)) {
            return false;
        }
        if (failure instanceof DriverException ofDriver) {
            ExecutionInfo execution = ofDriver.getExecutionInfo();
            if (execution != null
                    && execution.getRequest() instanceof Statement<?> statement
                    && StatementText.drawsTimestamp(statement)) {
                return true;
            }
        }
        for (Throwable suppressed : failure.getSuppressed()) {
            if (failedOutside(suppressed, looked)) {
                return true;
            }
        }
        return failedOutside(failure.getCause(), looked);
    }
}
