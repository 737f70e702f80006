/** Finds out which faults in the code no test would notice; see {@link io.surewrite.mutation.MutationRun}. */
@NullMarked
package io.surewrite.mutation;

import org.jspecify.annotations.NullMarked;
