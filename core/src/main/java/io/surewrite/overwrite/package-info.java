/**
 * Rows overwritten whole: what an entity does not say is gone afterwards, with one deletion at most and no tombstone that
 * readers count.
 *
 * <pre>{@code
 * interface Users extends CassandraRepository<User, UUID>, OverwriteRepository<User> {}
 *
 * users.overwrite(new User(id, "Ada", null)); // the column that is null is empty now
 * }</pre>
 *
 * <ul>
 *   <li>Readers see the old row or the new one, never neither and never a mix.
 *   <li>A row costs one deletion at most. The read path counts no tombstone.
 *   <li>A retry changes nothing: all attempts carry one timestamp.
 *   <li>Other rows of the partition and its static columns survive, as do columns that the entity does not map.
 *   <li>What cannot be written so is refused before anything is sent, by an {@link OverwriteException}.
 * </ul>
 *
 * <p>{@link RowOverwrites} and {@link ReactiveRowOverwrites} do without a repository; {@link Overwriting} lets {@code save}
 * overwrite. {@code OverwritePlanner} decides how to write, {@code Overwrites} takes the steps, for callers that block and for
 * those that subscribe.
 */
@NullMarked
package io.surewrite.overwrite;

import org.jspecify.annotations.NullMarked;
