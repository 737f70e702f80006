/** Writes that could not be done in time, kept on disk with their timestamps until the cluster takes them. */
@NullMarked
package io.surewrite.backlog;

import org.jspecify.annotations.NullMarked;
