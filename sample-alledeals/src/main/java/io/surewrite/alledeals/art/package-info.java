/** Pictures without photographs: each item's own drawing, computed from its id. */
@NullMarked
package io.surewrite.alledeals.art;

import org.jspecify.annotations.NullMarked;
