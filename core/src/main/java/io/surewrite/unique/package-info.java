/**
 * Unique values: at any time at most one row, visible at quorum, carries a value of a constraint.
 *
 * <pre>{@code
 * @UniqueBy(value = "login", normalise = CASE_FOLDED, name = "user-login")
 * interface UserRepository extends CassandraRepository<User, UUID> {}
 *
 * users.insert(user);                          // DuplicateValueException if another row has the login
 * finder.findKey("user-login", "ada");         // UniqueFinder: the row that has it, by two reads
 * guard.claim(constraint, "user:42", "ada");   // UniqueGuard: values that are no column of an entity
 * constraints.repair("user-login");            // UniqueConstraints: claims for rows that were there before
 * }</pre>
 *
 * <p>Success means that the row and its claims are there. A failure means that the write has no effect and never will,
 * except {@link io.surewrite.write.UnknownOutcomeException}: calling the same again settles it. A writer that dies blocks a
 * value no longer than the lease and one second. Claims are made by lightweight transactions in a table of their own and
 * fenced by write timestamps.
 *
 * <p>Read in this order: {@link UniqueBy}, {@link UniqueGuard} and {@link UniqueFinder}, which users name; {@code
 * GuardedStatements} and {@code GuardedTable}, which take over what writes a constrained table; {@code GuardCall} with {@code
 * RowWrite} and {@code RowDeletion}, a guarded write step by step; {@code ClaimSet} and {@code ClaimStep}, claims; {@code
 * FencingTakeover}, of dead writers';
 * {@code ClaimStore}, their table; {@code CqlRows}, the constrained rows; {@code CatalogedConstraints} and {@code WholeTable},
 * audit and repair.
 */
@NullMarked
package io.surewrite.unique;

import org.jspecify.annotations.NullMarked;
