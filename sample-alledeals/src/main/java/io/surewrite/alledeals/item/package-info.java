/**
 * Items: the kata's iterations 2 to 4, an LWT-only table and three listings that follow it. List an item, show it, find
 * it by seller, month or tag.
 */
@NullMarked
package io.surewrite.alledeals.item;

import org.jspecify.annotations.NullMarked;
