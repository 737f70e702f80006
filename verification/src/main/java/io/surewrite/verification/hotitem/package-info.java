/** A hot item: many buyers of one item, in the sample shop and in the kata's own loop. */
@NullMarked
package io.surewrite.verification.hotitem;

import org.jspecify.annotations.NullMarked;
