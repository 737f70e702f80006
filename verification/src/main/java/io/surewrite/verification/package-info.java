/** Programs that measure and break the others; nothing ships from here. */
@NullMarked
package io.surewrite.verification;

import org.jspecify.annotations.NullMarked;
