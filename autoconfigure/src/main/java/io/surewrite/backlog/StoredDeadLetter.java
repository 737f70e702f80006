package io.surewrite.backlog;

import java.time.Instant;

/**
 * A dead letter as a store keeps it.
 *
 * @param entry what it was
 * @param died when it was given up
 * @param reason why
 * @param detail what the server said, or what else there is to know
 */
public record StoredDeadLetter(StoredEntry entry, Instant died, DeadLetter.Reason reason, String detail) {}
