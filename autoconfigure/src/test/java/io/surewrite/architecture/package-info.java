/** The rules of the house as tests, and classes that break them to show that the rules see it. */
@NullMarked
package io.surewrite.architecture;

import org.jspecify.annotations.NullMarked;
