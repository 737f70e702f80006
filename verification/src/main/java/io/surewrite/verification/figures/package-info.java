/** What a benchmark has measured, as data: printed at once, kept for the report. */
@NullMarked
package io.surewrite.verification.figures;

import org.jspecify.annotations.NullMarked;
