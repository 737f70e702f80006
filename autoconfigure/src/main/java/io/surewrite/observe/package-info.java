/** Metrics, observations and log lines about logical writes; they name operations and never values. */
@NullMarked
package io.surewrite.observe;

import org.jspecify.annotations.NullMarked;
