/**
 * The engine of leases. A call goes {@code ProcessLeases} → {@code LeaseProtocol} → {@code LeaseStore}: the entrances, then the
 * protocol of one name under one monitor, then the table. Not for applications.
 */
@NullMarked
package io.surewrite.lease.tenure;

import org.jspecify.annotations.NullMarked;
