/** The unique constraints that an application has, and finding rows by them. */
@NullMarked
package io.surewrite.unique.catalog;

import org.jspecify.annotations.NullMarked;
