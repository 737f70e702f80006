/** AlleDeals, the shop of the Cassandra modeling kata: one package a feature, and this one that starts them. */
@NullMarked
package io.surewrite.alledeals;

import org.jspecify.annotations.NullMarked;
