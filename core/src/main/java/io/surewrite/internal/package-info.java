/** What promises share below {@code write}. No API. */
@NullMarked
package io.surewrite.internal;

import org.jspecify.annotations.NullMarked;
