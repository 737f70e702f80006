/** Leases by other names: a {@link java.util.concurrent.locks.Lock}, and the locks of Spring Integration. */
@NullMarked
package io.surewrite.lease.adapter;

import org.jspecify.annotations.NullMarked;
