/**
 * Unique values: claims of values in a table of their own, made by lightweight transactions and fenced by write
 * timestamps, so that at any time at most one row carries a value.
 */
@NullMarked
package io.surewrite.unique;

import org.jspecify.annotations.NullMarked;
