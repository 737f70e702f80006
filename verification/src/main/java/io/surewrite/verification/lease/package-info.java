/** What leases cost, measured beside locks written by hand. */
@NullMarked
package io.surewrite.verification.lease;

import org.jspecify.annotations.NullMarked;
