/** What reading the attribute journal costs. */
@NullMarked
package io.surewrite.verification.journal;

import org.jspecify.annotations.NullMarked;
