package io.surewrite.backlog;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Where the entries are. What it has confirmed survives the end of the process and of the machine. Futures fail with a
 * {@link BacklogException}.
 */
public interface BacklogStore extends AutoCloseable {

    /**
     * Keeps an entry.
     *
     * @param decided when the write was decided
     * @param body the encoded write
     * @return its id, once it is durable; {@link BacklogFullException} if there is no room
     */
    CompletableFuture<Long> put(Instant decided, byte[] body);

    /**
     * Reads entries in the order in which they came.
     *
     * @param after the id before the first wanted one
     * @param limit how many at most
     * @return the entries
     */
    CompletableFuture<List<StoredEntry>> next(long after, int limit);

    /**
     * Forgets entries.
     *
     * @param entries what need not wait any longer
     * @return when it is done
     */
    CompletableFuture<Void> remove(List<StoredEntry> entries);

    /**
     * Counts a failed attempt.
     *
     * @param entry what failed again
     * @return when it is done
     */
    CompletableFuture<Void> failed(StoredEntry entry);

    /**
     * Makes an entry a dead letter.
     *
     * @param letter the entry, and why
     * @return when it is durable
     */
    CompletableFuture<Void> bury(StoredDeadLetter letter);

    /**
     * Reads dead letters in the order of their entries.
     *
     * @param after the id before the first wanted one
     * @param limit how many at most
     * @return the letters
     */
    CompletableFuture<List<StoredDeadLetter>> deadLetters(long after, int limit);

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

    /** {@return how much there is, without a look at the disk} */
    BacklogSize size();

    /** {@return why nothing can be kept any more until a restart; null while it can} */
    @Nullable
    BacklogException failure();

    /** Ends what was begun and lets go of everything. */
    @Override
    void close();
}
