/**
 * Writes that the cluster could not take, on disk with their timestamps until it takes them.
 *
 * <ul>
 *   <li>What {@link io.surewrite.backlog.WriteBacklog#put} returned for is durable: it is replayed, also after a restart, or it
 *       becomes a {@link io.surewrite.backlog.DeadLetter} with a reason.
 *   <li>A replay carries the timestamp of the decision. It never covers anything newer.
 *   <li>Only writes that may run twice are kept; others are refused.
 *   <li>A kept write is neither done nor failed, and no read sees it.
 * </ul>
 *
 * <pre>{@code
 * WriteReceipt receipt = backlog.put("audit", insert.bind(id, text)); // durable now, in the cluster soon
 * }</pre>
 *
 * <p>Read in this order: {@link WriteBacklog}, which users call; {@code StoredWriteBacklog}, which takes writes; {@code EntryMaker} and
 * {@code EntryCodec}, from a statement to an entry and its bytes; {@code SqliteBacklogStore} and {@code BacklogFile}, the store;
 * {@code Replay}, which does what waits, the oldest first.
 */
@NullMarked
package io.surewrite.backlog;

import org.jspecify.annotations.NullMarked;
