package io.surewrite.verification.faults;

import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteListener;
import org.jspecify.annotations.Nullable;

/** Notes down the conditional writes of which nobody knew at some time whether they had been done, and whether it was found out. */
final class AmbiguousOutcomes implements WriteListener {

    private volatile @Nullable History history;

    /** From now on; what happens while an application starts is of no interest. */
    void noteIn(History history) {
        this.history = history;
    }

    @Override
    public Call started(String operation) {
        return new Watched(System.nanoTime());
    }

    private final class Watched implements Call {

        private final long from;
        private volatile boolean ambiguous;

        Watched(long from) {
            this.from = from;
        }

        @Override
        public void attemptFailed(int attempt, FailureKind kind, Throwable failure) {
            ambiguous |= kind == FailureKind.UNKNOWN;
        }

        @Override
        public void ended(End end, int attempts) {
            History notes = history;
            if (ambiguous && notes != null) {
                notes.add(end == End.UNKNOWN ? Event.UNSETTLED : Event.SETTLED, "", attempts, from);
            }
        }
    }
}
