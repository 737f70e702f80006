/**
 * How rows are overwritten: {@link io.surewrite.overwrite.engine.OverwritePlanner} decides how to write, {@link
 * io.surewrite.overwrite.engine.Overwrites} takes the steps, for callers that block and for those that subscribe.
 */
@NullMarked
package io.surewrite.overwrite.engine;

import org.jspecify.annotations.NullMarked;
