package io.surewrite.alledeals.begun;

import java.time.Instant;

/** Work in several steps that a crash may leave in the middle. */
public interface Unfinished {

    /**
     * Finishes what was begun in a bucket and is not done. Doing it twice, or beside somebody who is still at it, is
     * harmless.
     */
    int finish(Instant bucket);
}
