/** Runs a core of the integration tests on several servers, protocols and JDKs; see {@link io.surewrite.cells.Cells}. */
@NullMarked
package io.surewrite.cells;

import org.jspecify.annotations.NullMarked;
