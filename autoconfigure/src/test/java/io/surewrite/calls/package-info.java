/** Whole calls of an application on a bad network, made up by seed: what they say is compared with the rows. */
@NullMarked
package io.surewrite.calls;

import org.jspecify.annotations.NullMarked;
