/**
 * Runs on three nodes whose processes are paused and killed, and so are their clients; what everybody saw is written down
 * and judged afterwards.
 */
@NullMarked
package io.surewrite.verification.faults;

import org.jspecify.annotations.NullMarked;
