/** Conditional writes on a real session, run again until their outcome is known. */
@NullMarked
package io.surewrite.cql.settle;

import org.jspecify.annotations.NullMarked;
