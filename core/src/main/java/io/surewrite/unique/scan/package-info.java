/** Goes through whole tables: builds the claims of a new constraint, audits and repairs them. */
@NullMarked
package io.surewrite.unique.scan;

import org.jspecify.annotations.NullMarked;
