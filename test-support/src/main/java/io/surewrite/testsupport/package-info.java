/** What the tests of all modules share: the record of what a test run costs. */
@NullMarked
package io.surewrite.testsupport;

import org.jspecify.annotations.NullMarked;
