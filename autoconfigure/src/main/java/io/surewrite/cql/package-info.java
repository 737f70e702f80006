/**
 * Tokened conditional writes, pinned write timestamps, a clock that knows of sleep, and what a driver failure means for a
 * write.
 */
@NullMarked
package io.surewrite.cql;

import org.jspecify.annotations.NullMarked;
