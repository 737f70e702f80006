/**
 * Rows overwritten whole: what an entity does not say is gone afterwards, with one deletion at most and no tombstone that
 * readers count.
 */
@NullMarked
package io.surewrite.overwrite;

import org.jspecify.annotations.NullMarked;
