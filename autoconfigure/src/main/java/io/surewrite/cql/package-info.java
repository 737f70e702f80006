/** Tokened conditional writes, pinned write timestamps, and what a driver failure means for a write. */
@NullMarked
package io.surewrite.cql;

import org.jspecify.annotations.NullMarked;
