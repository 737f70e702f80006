/**
 * From a statement to an entry and back to the cluster. {@code StoredWriteBacklog} takes writes: {@code EntryMaker} makes an
 * entry, {@code EntryCodec} bytes of it, and the store keeps them. {@code Replay} does what waits, the oldest first.
 */
@NullMarked
package io.surewrite.backlog.replay;

import org.jspecify.annotations.NullMarked;
