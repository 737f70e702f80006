/** How far the clocks of the nodes are from that of this process, and a clock that knows of sleep. */
@NullMarked
package io.surewrite.internal.clock;

import org.jspecify.annotations.NullMarked;
