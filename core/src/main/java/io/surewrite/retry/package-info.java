/**
 * Retry of writes that changes nothing newer: all attempts of a call carry one timestamp, taken before the first. Only
 * failures of the cluster that may pass are retried, within a number of attempts and a deadline. A call that fails says what
 * became of it: the last failure if nothing is in effect, and {@link io.surewrite.write.UnknownOutcomeException} if something
 * may be. What a retry would change, such as a counter, a list or {@code now()}, is refused at start-up.
 *
 * <pre>{@code
 * interface Users extends CassandraRepository<User, UUID> {
 *     @Idempotent(attempts = 5, deadline = "2s")
 *     <S extends User> S save(S user);
 * }
 *
 * retry.execute("Users.import", () -> template.insert(user)); // without a repository: WriteRetryTemplate
 * }</pre>
 *
 * <p>Read in this order: {@link Idempotent} and {@link WriteRetryTemplate}, which users name; {@code RetryCall}, the one decision
 * after each failure; {@code ScopedRetryTemplate}, {@code AsyncWriteRetry} and {@code ScopedReactiveRetry}, which repeat for calls,
 * futures and publishers; {@code ClientSideIds}, ids that are made before the first attempt.
 */
@NullMarked
package io.surewrite.retry;

import org.jspecify.annotations.NullMarked;
