/** Users: the kata's first iteration, a static table. Register, show, and choose who is shopping. */
@NullMarked
package io.surewrite.alledeals.user;

import org.jspecify.annotations.NullMarked;
