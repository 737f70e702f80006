/** What keeping a write for later costs, and how fast it is done later. */
@NullMarked
package io.surewrite.verification.backlog;

import org.jspecify.annotations.NullMarked;
