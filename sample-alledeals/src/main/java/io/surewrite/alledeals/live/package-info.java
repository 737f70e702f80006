/** What the shop does at this moment, drawn for an operator on the management port. */
@NullMarked
package io.surewrite.alledeals.live;

import org.jspecify.annotations.NullMarked;
