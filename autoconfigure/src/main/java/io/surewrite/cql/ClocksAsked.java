package io.surewrite.cql;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sessions whose clocks a logical write has asked: each of those that it writes to, before its first statement there.
 * What has begun goes on, whatever becomes of the clocks.
 */
final class ClocksAsked {

    private final WriteTimestamps source;
    private final Set<WriteTimestamps> asked =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /** Most write to one session only. */
    private volatile @Nullable WriteTimestamps last;

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
        if (timestamps == last) {
            return;
        }
        boolean right = timestamps.clocks().ofWrites().problem() == null;
        if (right || StatementText.drawsTimestamp(statement)) {
            require(timestamps);
        }
    }

    void require(WriteTimestamps timestamps) {
        if (timestamps != last && !asked.contains(timestamps)) {
            timestamps.clocks().ofWrites().require("Write");
            asked.add(timestamps);
            last = timestamps;
        }
    }
}
