/** Ids that are filled in before an entity is written, so that a retry writes the same row again. */
@NullMarked
package io.surewrite.retry.ids;

import org.jspecify.annotations.NullMarked;
