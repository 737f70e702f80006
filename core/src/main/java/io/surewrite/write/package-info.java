/**
 * One logical write and what became of it: a {@link io.surewrite.write.WriteScope} pins one timestamp for all statements that
 * are sent on its behalf, a {@link io.surewrite.write.FailureKind} says what a failure means for a write, and an
 * {@link io.surewrite.write.UnknownOutcomeException} that it may be in effect, now or later. {@link
 * io.surewrite.write.ConditionalWrites} run a lightweight transaction again until its outcome is known.
 *
 * <pre>{@code
 * long decided = timestamps.draw();
 * WriteScope.at(decided).call(() -> users.save(user)); // again, at the same timestamp: changes nothing newer
 * }</pre>
 *
 * <p>All promises share it, and it names none. What they share and users do not name lies in {@code io.surewrite.internal}.
 */
@NullMarked
package io.surewrite.write;

import org.jspecify.annotations.NullMarked;
