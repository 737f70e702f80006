/** The rows of tables that have unique constraints: how a guard reads, writes, deletes and restores them. */
@NullMarked
package io.surewrite.unique.rows;

import org.jspecify.annotations.NullMarked;
