/** Leases by other names: a {@link java.util.concurrent.locks.Lock}, the locks of Spring Integration and of ShedLock. */
@NullMarked
package io.surewrite.lease.adapter;

import org.jspecify.annotations.NullMarked;
