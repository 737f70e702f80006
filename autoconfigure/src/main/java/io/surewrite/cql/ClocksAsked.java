package io.surewrite.cql;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.analysis.StatementText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The sessions whose clocks a logical write has asked: each of those that it writes to, before its first statement there.
 * What has begun goes on, whatever becomes of the clocks.
 */
final class ClocksAsked {

    private static final AtomicReferenceFieldUpdater<ClocksAsked, WriteTimestamps> FIRST =
            AtomicReferenceFieldUpdater.newUpdater(ClocksAsked.class, WriteTimestamps.class, "first");

    private final WriteTimestamps source;

    /** Most write to one session only. */
    private volatile @Nullable WriteTimestamps first;

    private @Nullable List<WriteTimestamps> others;

    ClocksAsked(WriteTimestamps source) {
        this.source = source;
    }

    /**
     * Asks before a statement that is to carry the timestamp of the logical write.
     *
     * @param session where it goes, or null if that is not known
     * @throws ClockOffsetException if it is a write, the first one to that session, and the clock is known to be wrong
     */
    void require(Statement<?> statement, @Nullable DriverContext session) {
        WriteTimestamps timestamps = session == null ? source : WriteTimestamps.of(session);
        if (timestamps == first) {
            return;
        }
        boolean right = timestamps.problem() == null;
        if (right || StatementText.drawsTimestamp(statement)) {
            require(timestamps);
        }
    }

    void require(WriteTimestamps timestamps) {
        WriteTimestamps known = first;
        if (timestamps == known || (known != null && isOther(timestamps))) {
            return;
        }
        timestamps.requireClock();
        if (!FIRST.compareAndSet(this, null, timestamps)) {
            addOther(timestamps);
        }
    }

    private synchronized boolean isOther(WriteTimestamps timestamps) {
        return others != null && others.contains(timestamps);
    }

    private synchronized void addOther(WriteTimestamps timestamps) {
        if (others == null) {
            others = new ArrayList<>();
        }
        others.add(timestamps);
    }
}
