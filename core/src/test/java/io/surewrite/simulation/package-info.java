/**
 * A small world in one thread: processes and database nodes with clocks of their own, a network that loses and delays,
 * pauses and crashes. Everything follows from a seed, so that a failing run can be repeated and read.
 */
@NullMarked
package io.surewrite.simulation;

import org.jspecify.annotations.NullMarked;
