/**
 * The Lab: what happens under contention, when a lease holder dies or an answer is lost, tried on the running database
 * and shown in its own numbers.
 */
@NullMarked
package io.surewrite.alledeals.lab;

import org.jspecify.annotations.NullMarked;
