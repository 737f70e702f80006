/** What operators see: gauges, health and actuator endpoints. They name operations and never values. */
@NullMarked
package io.surewrite.actuate;

import org.jspecify.annotations.NullMarked;
