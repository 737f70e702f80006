/** What overwrites leave behind and cost, measured beside what Spring Data's own saves leave and cost. */
@NullMarked
package io.surewrite.verification.overwrite;

import org.jspecify.annotations.NullMarked;
