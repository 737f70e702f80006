/**
 * Named leases over Cassandra: locks that one process at a time holds, that are renewed while they are held, expire by
 * themselves when their holder dies, and carry a fencing token. Start at {@link io.surewrite.lease.LeaseLocks}, or put
 * {@link io.surewrite.lease.WithLease} on a method.
 *
 * <pre>{@code
 * try (Lease lease = locks.acquire("import:" + file, Duration.ofSeconds(10))) {
 *     while (lease.isHeld() && parts.hasNext()) {
 *         write(parts.next(), lease.nextFence());
 *     }
 * }
 * }</pre>
 *
 * <p>Read in this order: {@link LeaseLocks} and {@link Lease}, which users call; {@code ProcessLeases}, the entrances; {@code
 * LeaseProtocol}, the protocol of one name under one monitor, with {@code DeadlinesAndTokens}, its decisions; {@code LeaseStore}, the
 * table. {@code lease.adapter} has the same leases as {@link java.util.concurrent.locks.Lock}, and for Spring Integration and
 * ShedLock.
 */
@NullMarked
package io.surewrite.lease;

import org.jspecify.annotations.NullMarked;
