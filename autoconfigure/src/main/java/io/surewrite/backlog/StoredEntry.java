package io.surewrite.backlog;

import java.time.Instant;

/**
 * An entry as a store keeps it.
 *
 * @param id grows with every entry
 * @param decided when the write was decided
 * @param attempts how often it failed although the cluster took others
 * @param body the encoded write
 */
@SuppressWarnings("ArrayRecordComponent") // what a store gives and takes; nobody compares entries by their bodies
public record StoredEntry(long id, Instant decided, int attempts, byte[] body) {}
