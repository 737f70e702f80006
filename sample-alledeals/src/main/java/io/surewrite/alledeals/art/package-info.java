/** Pictures without photographs: each item’s own drawing, computed from its name and its id. */
@NullMarked
package io.surewrite.alledeals.art;

import org.jspecify.annotations.NullMarked;
