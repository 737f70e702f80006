/**
 * The backlog's store in one SQLite file. {@code SqliteBacklogStore} has the tables and all that is said to them; {@code
 * GroupCommit} commits and flushes many calls together, in that order; {@code DirectoryLock} keeps other processes out.
 */
@NullMarked
package io.surewrite.backlog.store;

import org.jspecify.annotations.NullMarked;
