/** What {@code @Idempotent} costs a call, next to plain Spring Data. */
@NullMarked
package io.surewrite.verification.overhead;

import org.jspecify.annotations.NullMarked;
