/**
 * Rows of tables, for the features that write them: the columns of a table by their roles ({@link RowTable}), the
 * encoded values of a row ({@link TimedRow}), and the prepared statements that write and read a row ({@link
 * RowStatement}). For the neighbours in this house, not for applications.
 */
@NullMarked
package io.surewrite.internal.rows;

import org.jspecify.annotations.NullMarked;
