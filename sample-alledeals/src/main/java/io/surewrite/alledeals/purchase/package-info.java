/**
 * Purchases: the kata's iterations 5 and 6. Save with a time to live, bind to the item by a conditional update, complete
 * by an event that may come twice, late or, after a crash, from the reconciler.
 */
@NullMarked
package io.surewrite.alledeals.purchase;

import org.jspecify.annotations.NullMarked;
