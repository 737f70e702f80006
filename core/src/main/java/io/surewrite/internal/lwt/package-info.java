/** Conditional writes on a real session, run again until their outcome is known. */
@NullMarked
package io.surewrite.internal.lwt;

import org.jspecify.annotations.NullMarked;
