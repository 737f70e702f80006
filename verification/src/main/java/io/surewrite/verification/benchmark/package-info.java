/** What each promise costs, beside plain Spring Data or the same by hand, in one run. */
@NullMarked
package io.surewrite.verification.benchmark;

import org.jspecify.annotations.NullMarked;
