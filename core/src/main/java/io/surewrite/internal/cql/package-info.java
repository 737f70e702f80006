/** Reads CQL, as it is sent or as it stands in {@code @Query}, and decides whether a statement may be run twice. */
@NullMarked
package io.surewrite.internal.cql;

import org.jspecify.annotations.NullMarked;
