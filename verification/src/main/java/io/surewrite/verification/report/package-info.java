/** Runs the benchmarks one after another, and makes a page of what they measured. */
@NullMarked
package io.surewrite.verification.report;

import org.jspecify.annotations.NullMarked;
