/**
 * Reads CQL as it stands in {@code @Query}, and decides whether a statement may be run twice. Knows nothing of sessions,
 * scopes and retries; the packages above use it.
 */
@NullMarked
package io.surewrite.internal.cql;

import org.jspecify.annotations.NullMarked;
