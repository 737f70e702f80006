package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.write.WriteKeeper;
import io.surewrite.write.WriteReceipt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes on disk that the cluster could not take. Each is done later with the timestamp of its decision, so that it
 * never covers anything newer, in whatever order and however often it is done.
 *
 * <p>A write in here is neither done nor failed, and no read sees it. Only writes that may be run twice are accepted: no
 * conditions, counters or lists, and only tables whose tombstones live longer than the margin.
 *
 * <p>Safe for use by many threads.
 */
public interface WriteBacklog extends WriteKeeper {

    /**
     * Keeps a write instead of sending it. Its timestamp is that of the statement, or of the {@link
     * io.surewrite.write.WriteScope} of the calling thread, or a new one.
     *
     * @param operation what it is for: a name for logs and metrics, without values
     * @param statement one statement or batch; a time to live is a bind marker
     * @return that it is kept; it is durable then
     * @throws BacklogException if it must not wait, as one made under a lease must not; if there is no room; or if the disk does not take
     *     it
     * @throws io.surewrite.write.UnknownOutcomeException if the disk did not confirm it: it may be done all the same
     */
    WriteReceipt put(String operation, Statement<?> statement);

    /**
     * The backlog of what is sent to one session; all of them share one store.
     *
     * @param session the session's context, or null if it is not known where a write was sent
     * @return the backlog that keeps for that session; it refuses every write if it could not bring it there
     */
    @Override
    default WriteBacklog of(@Nullable DriverContext session) {
        return this;
    }

    /** {@return how much there is} */
    BacklogSize size();

    /** {@return why nothing can be kept any more until a restart, such as a disk that failed; null while it can} */
    @Nullable
    BacklogException failure();

    /**
     * {@return why nothing can be kept at the moment, such as a full disk or no room, or what the store does not note of the writes that
     * wait, such as that one is done or a dead letter; null while all is well}
     */
    @Nullable
    BacklogException refusal();

    /** {@return why writes wait: the type of what failed when one was tried last; null if that one waits no longer} */
    @Nullable
    String lastFailure();

    /** Has the oldest write tried now, and if that succeeds all others. Returns at once. */
    void replay();

    /** {@return so many dead letters at most, the oldest first, after the one of an id; 0 for all} */
    List<DeadLetter> deadLetters(long after, int limit);

    /**
     * Lets dead letters wait for their replay again: after what killed them was fixed. What is too old dies again.
     *
     * @return how many there were
     * @throws io.surewrite.write.UnknownOutcomeException if the disk did not confirm it
     */
    int replayDeadLetters(List<Long> ids);

    /**
     * {@return how many dead letters it forgets of these}
     *
     * @throws io.surewrite.write.UnknownOutcomeException if the disk did not confirm it
     */
    int discardDeadLetters(List<Long> ids);

    /**
     * How much there is.
     *
     * @param entries how many writes wait
     * @param deadLetters how many were given up and wait for a decision
     * @param bytes how large both are, the file's overhead not counted
     * @param oldest when the oldest waiting write was decided, or null if none waits
     * @param lost how many of the kept writes the disk has lost or damaged, at least; 0 again when their dead letters are discarded
     */
    record BacklogSize(
            long entries,
            long deadLetters,
            long bytes,
            @Nullable Instant oldest,
            long lost) {

        /** {@return how long ago the oldest waiting write was decided; zero if none waits} */
        public Duration age(Instant now) {
            return oldest == null ? Duration.ZERO : Duration.between(oldest, now);
        }
    }
}
