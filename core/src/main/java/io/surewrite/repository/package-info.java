/** What happens around a repository method is decided here once, when its proxy is made, so that misuse fails at start-up. */
@NullMarked
package io.surewrite.repository;

import org.jspecify.annotations.NullMarked;
