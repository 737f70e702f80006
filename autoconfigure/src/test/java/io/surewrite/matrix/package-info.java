/** Runs a core of the integration tests on several servers, protocols and JDKs; see {@link io.surewrite.matrix.Matrix}. */
@NullMarked
package io.surewrite.matrix;

import org.jspecify.annotations.NullMarked;
