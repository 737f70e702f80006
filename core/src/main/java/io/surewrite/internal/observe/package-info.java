/** How the features show what they do: observations, and lines of log that do not flood. */
@NullMarked
package io.surewrite.internal.observe;

import org.jspecify.annotations.NullMarked;
