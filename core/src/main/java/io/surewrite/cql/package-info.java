/**
 * One logical write and what became of it: a {@link io.surewrite.cql.WriteScope} pins one timestamp for all statements that
 * are sent on its behalf, a {@link io.surewrite.cql.FailureKind} says what a failure means for a write, and an
 * {@link io.surewrite.cql.UnknownOutcomeException} that it may be in effect, now or later. {@link
 * io.surewrite.cql.ConditionalWrites} run a lightweight transaction again until its outcome is known.
 *
 * <pre>{@code
 * long decided = timestamps.draw();
 * WriteScope.at(decided).call(() -> users.save(user)); // again, at the same timestamp: changes nothing newer
 * }</pre>
 *
 * <p>The packages below are for the other packages of Surewrite. {@code analysis}, {@code hold} and {@code server} know nothing of this
 * one; {@code clock}, {@code session} and {@code settle} stand on it.
 */
@NullMarked
package io.surewrite.cql;

import org.jspecify.annotations.NullMarked;
