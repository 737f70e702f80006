/** Ties the features to Spring Data's repositories: finds what a repository asks for, at start-up, and calls it. */
@NullMarked
package io.surewrite.repository;

import org.jspecify.annotations.NullMarked;
