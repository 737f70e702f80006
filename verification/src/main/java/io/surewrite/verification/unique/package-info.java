/** What unique values cost beside the same written by hand, and what building claims for existing rows takes. */
@NullMarked
package io.surewrite.verification.unique;

import org.jspecify.annotations.NullMarked;
