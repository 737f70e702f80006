/** Demo data for development: a shop that is not empty on the first visit. */
@NullMarked
package io.surewrite.alledeals.demo;

import org.jspecify.annotations.NullMarked;
