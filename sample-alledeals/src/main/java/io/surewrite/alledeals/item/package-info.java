/** Items: the kata's second iteration, an LWT-only table. List an item, show it, browse. */
@NullMarked
package io.surewrite.alledeals.item;

import org.jspecify.annotations.NullMarked;
