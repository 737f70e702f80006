package io.surewrite.backlog;

import io.surewrite.cql.UnknownOutcomeException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Where the entries are. What it has confirmed survives the end of the process and of the machine. Futures fail with a
 * {@link BacklogException} if nothing was done, and with an {@link UnknownOutcomeException} if the disk did not say.
 *
 * <p>A store may be shared, as one on a message broker is: an entry may be put by one process and replayed by another, and a
 * process then sees the entries that it may replay, and their {@link #size}. Entries are replayed at least once, and in any
 * order. So a store need not remember at once what was removed, and may forget {@link #failed attempts}. An id is the store's
 * own; of a store of several parts it can hold the part and the place in it.
 */
public interface BacklogStore extends AutoCloseable {

    /**
     * What an entry writes.
     *
     * @param table the table, with its keyspace; of a batch the first one
     * @param partition the encoded key of the partition, or null if it is not known
     */
    record Key(String table, @Nullable ByteBuffer partition) {}

    /**
     * A write as a store keeps it.
     *
     * @param id names it, and grows with every entry of the same key
     * @param decided when the write was decided
     * @param attempts how often it failed although the cluster took others
     * @param body the encoded write
     */
    @SuppressWarnings("ArrayRecordComponent") // entries are never compared by their bodies
    record Entry(long id, Instant decided, int attempts, byte[] body) {}

    /**
     * A dead letter as a store keeps it.
     *
     * @param entry what it was
     * @param died when it was given up
     * @param reason why
     * @param detail what the server said, or what else there is to know
     */
    record DeadEntry(Entry entry, Instant died, DeadLetter.Reason reason, String detail) {}

    /**
     * Keeps an entry.
     *
     * @param key what it writes: a store of several parts keeps entries of one key in one part
     * @param decided when the write was decided
     * @param body the encoded write
     * @return its id, once it is durable; {@link BacklogFullException} if there is no room
     */
    CompletableFuture<Long> put(Key key, Instant decided, byte[] body);

    /**
     * Reads entries that this process may replay, in the order of their ids.
     *
     * @param after the id before the first wanted one
     * @param limit how many at most
     * @return the entries; each is there until it is removed or buried, or another process may replay it
     */
    CompletableFuture<List<Entry>> next(long after, int limit);

    /**
     * Forgets entries: a broker gets their acknowledgement.
     *
     * @param ids what need not wait any longer; some may be forgotten already
     * @return when it is done
     */
    CompletableFuture<Void> remove(List<Long> ids);

    /**
     * Counts a failed attempt.
     *
     * @param entry what failed again
     * @return when it is done
     */
    CompletableFuture<Void> failed(Entry entry);

    /**
     * Makes an entry a dead letter.
     *
     * @param letter the entry, and why
     * @return when it is durable
     */
    CompletableFuture<Void> bury(DeadEntry letter);

    /**
     * Reads dead letters in the order of their entries.
     *
     * @param after the id before the first wanted one
     * @param limit how many at most
     * @return the letters
     */
    CompletableFuture<List<DeadEntry>> deadLetters(long after, int limit);

    /**
     * Makes dead letters entries again.
     *
     * @param ids which
     * @return how many there were
     */
    CompletableFuture<Integer> revive(List<Long> ids);

    /**
     * Forgets dead letters.
     *
     * @param ids which
     * @return how many there were
     */
    CompletableFuture<Integer> discard(List<Long> ids);

    /**
     * {@return whether other processes may put entries that this one is to replay: it then looks for them from time to time}
     */
    boolean isShared();

    /** {@return how much there is, without a look at the disk} */
    BacklogSize size();

    /** {@return why nothing can be kept any more until a restart; null while it can} */
    @Nullable
    BacklogException failure();

    /** {@return why nothing can be kept at the moment, such as a full disk; null while it can} */
    @Nullable
    BacklogException refusal();

    /** Ends what was begun and lets go of everything. */
    @Override
    void close();
}
