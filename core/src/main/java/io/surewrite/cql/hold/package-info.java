/** What a write is made under, such as a lease. */
@NullMarked
package io.surewrite.cql.hold;

import org.jspecify.annotations.NullMarked;
