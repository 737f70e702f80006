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
 * <ul>
 *   <li>Two holders of a name never both see {@code isHeld()}, as long as the nodes' clocks differ by less than the margin.
 *   <li>Fencing tokens strictly increase from hold to hold, always; a release never frees the lease of another.
 *   <li>A holder that dies blocks its name at most its ttl and one second.
 *   <li>A sure write under a lease is newer than all under earlier holds, and is reported done only while the lease is held.
 *   <li>A release reports what became of it, and a cluster that gives no answer is never "held by another".
 * </ul>
 *
 * <p>Read in this order: {@link LeaseLocks} and {@link Lease}, which users call; {@code ProcessLeases}, the entrances; {@code
 * LeaseProtocol}, the protocol of one name under one monitor, with {@code DeadlinesAndTokens}, its decisions; {@code LeaseStore}, the
 * table. {@code lease.adapter} has the same leases as {@link java.util.concurrent.locks.Lock}, and for Spring Integration and
 * ShedLock.
 */
@NullMarked
package io.surewrite.lease;

import org.jspecify.annotations.NullMarked;
