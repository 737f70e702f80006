/** Runs retried writes: one decision after each failure, for blocking calls, futures and publishers alike. */
@NullMarked
package io.surewrite.retry.engine;

import org.jspecify.annotations.NullMarked;
