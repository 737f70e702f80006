/**
 * The backlog's store in one SQLite file. {@code SqliteBacklogStore} has all that is asked of it; {@code BacklogFile} opens the
 * file and finds out what is missing; {@code Entry} is a row and its checksum.
 */
@NullMarked
package io.surewrite.backlog.store;

import org.jspecify.annotations.NullMarked;
