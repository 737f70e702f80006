/**
 * How the journal lies in Cassandra. An entity has lives, a life has buckets of
 * time, and a bucket is a partition that can be read by itself.
 *
 * <p>{@code CassandraAttributeJournal} checks input and reads; {@code Buckets} begins, completes and erases buckets; {@code
 * JournalStore} has all the CQL.
 */
@NullMarked
package io.surewrite.journal.buckets;

import org.jspecify.annotations.NullMarked;
