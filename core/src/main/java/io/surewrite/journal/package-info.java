/**
 * A journal of attributes: which value each attribute of an entity had, and since when. It is only ever added to. Recording
 * the same thing again changes nothing, and what arrives late sorts where it belongs.
 *
 * <ul>
 *   <li>{@code current} reads one partition; {@code asOf} reads any instant of the past from two.
 *   <li>Of two values for one attribute and one microsecond, the same one wins everywhere.
 *   <li>{@code forget} erases an entity: from then on no read finds any of it.
 *   <li>Bad input throws a {@link io.surewrite.journal.JournalException} before anything is sent.
 * </ul>
 *
 * <pre>{@code
 * journal.record("user/7", Map.of("name", "Ann", "city", "Ulm"), Instant.now());
 * EntityState then = journal.asOf("user/7", Instant.parse("2026-06-01T00:00:00Z"));
 * List<JournalEntry> cities = journal.history("user/7", "city", null, 20);
 * }</pre>
 *
 * <p>An entity has lives, a life has buckets of time, and a bucket is a partition that can be read by itself. Read in this order:
 * {@link AttributeJournal}, which users call; {@code CassandraAttributeJournal}, which checks input and reads; {@code Buckets}, which
 * begins, completes and erases buckets; {@code JournalStore}, all the CQL.
 */
@NullMarked
package io.surewrite.journal;

import org.jspecify.annotations.NullMarked;
