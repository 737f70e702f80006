/** Rows of tables, for the features that write them. */
@NullMarked
package io.surewrite.internal.rows;

import org.jspecify.annotations.NullMarked;
