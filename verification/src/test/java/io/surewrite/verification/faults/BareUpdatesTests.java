package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BareUpdatesTests {

    private final Event run = event(Event.RUN, 0, 12_000);

    @Test
    void saysHowLongThereWasNoAnswer() {
        Trial.Verdict verdict = judge(run, event(Event.NODE_FAULT, 0, 3000), event(Event.UNANSWERED, 2000, 6000));

        assertThat(verdict.summary()).contains("for 3 s of the 9 s in which no node was disturbed");
    }

    @Test
    void findsThatNothingWasAnsweredAtAll() {
        assertThat(judge(run).violations()).containsExactly("no bare update was ever answered");
    }

    private static Trial.Verdict judge(Event... events) {
        return new BareUpdates().judge(List.of(events));
    }

    private static Event event(String what, long from, long to) {
        return new Event("nemesis", what, "", 0, from * 1_000_000, to * 1_000_000);
    }
}
