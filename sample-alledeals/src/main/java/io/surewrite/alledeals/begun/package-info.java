/**
 * What to do about crashes: whatever takes several steps first says that it begins, and a reconciler under a lease
 * finishes what nobody finished. Nothing is taken off a queue: notes lie in buckets of time and expire together.
 */
@NullMarked
package io.surewrite.alledeals.begun;

import org.jspecify.annotations.NullMarked;
