/** Retry of writes with one pinned timestamp, and the refusal at start-up of what a retry would change. */
@NullMarked
package io.surewrite.retry;

import org.jspecify.annotations.NullMarked;
