/** What the tests of this module share. */
@NullMarked
package io.surewrite.test;

import org.jspecify.annotations.NullMarked;
