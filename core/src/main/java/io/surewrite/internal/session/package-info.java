/** Sessions and templates that apply the write scope to each statement, and what they need of the driver. */
@NullMarked
package io.surewrite.internal.session;

import org.jspecify.annotations.NullMarked;
