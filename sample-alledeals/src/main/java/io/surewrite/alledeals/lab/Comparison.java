package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Experiment.Verdict;
import io.surewrite.alledeals.lab.Timeline.Event;

/** Both sides of an experiment, done. */
record Comparison(Experiment experiment, long seed, Side plain, Side sure) {

    /** {@return when the last thing happened on either side} */
    public long end() {
        return Math.max(plain.end(), sure.end());
    }

    /** One of the two. */
    record Side(Verdict verdict, Timeline timeline) {

        /** {@return the timeline as a picture that ends at a moment} */
        public TimelineView picture(long end) {
            return TimelineView.of(timeline, end);
        }

        private long end() {
            return timeline.events().stream().mapToLong(Event::millis).max().orElse(1);
        }
    }
}
