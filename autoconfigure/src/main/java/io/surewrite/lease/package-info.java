/**
 * Named leases over Cassandra: locks that expire by themselves, know when they are lost, and carry a fencing token.
 * Start at {@link io.surewrite.lease.LeaseLocks}.
 */
@NullMarked
package io.surewrite.lease;

import org.jspecify.annotations.NullMarked;
