/** What the tests of all modules share: the record of what a test run costs, and the judge of a row's history. */
@NullMarked
package io.surewrite.testsupport;

import org.jspecify.annotations.NullMarked;
