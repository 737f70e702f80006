/**
 * The protocol of unique values: the guard, its calls step by step, claims, takeovers and fences, and the table of claims. It
 * reaches rows by {@link io.surewrite.unique.claims.ConstrainedRows}, claims by a store and time by a clock, so that the
 * simulation runs the very same classes.
 */
@NullMarked
package io.surewrite.unique.claims;

import org.jspecify.annotations.NullMarked;
