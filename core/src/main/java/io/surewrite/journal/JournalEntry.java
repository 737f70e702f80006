package io.surewrite.journal;

import java.time.Instant;

/**
 * A value that an attribute had.
 *
 * @param attribute its name
 * @param value the value
 * @param at since when
 */
public record JournalEntry(String attribute, AttributeValue value, Instant at) {}
