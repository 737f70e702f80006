/**
 * Goes through whole tables: builds the claims of a new constraint, audits, repairs, and sweeps abandoned claims.
 */
@NullMarked
package io.surewrite.unique.scan;

import org.jspecify.annotations.NullMarked;
