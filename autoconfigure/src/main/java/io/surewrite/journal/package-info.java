/**
 * A journal of attributes that is only ever added to: recording the same thing again changes nothing, and what arrives
 * late sorts where it belongs.
 */
@NullMarked
package io.surewrite.journal;

import org.jspecify.annotations.NullMarked;
