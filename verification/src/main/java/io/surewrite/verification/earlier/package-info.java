/** What this build costs beside an earlier one, in one run. */
@NullMarked
package io.surewrite.verification.earlier;

import org.jspecify.annotations.NullMarked;
