package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A loss is silent unless the client that kept the write reported at least as many. */
class WriteTrialTests {

    private final List<Event> events = new ArrayList<>();

    @Test
    void acceptsLossesOfAClientThatReportedSome() {
        acknowledged("client1.1-0#1");
        acknowledged("client1.1-0#2");
        add("client1.2", Event.LOST, "", 1);

        assertThat(WriteTrial.silentLosses(events)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"client1.2, 0", "client2.2, 5"})
    void findsALossThatItsClientDidNotReport(String who, long lost) {
        acknowledged("client1.1-0#1");
        add(who, Event.LOST, "", lost);

        assertThat(WriteTrial.silentLosses(events))
                .singleElement()
                .asString()
                .contains("client1.1-0#1 was acknowledged and is not there");
    }

    @Test
    void excusesNothingThatNobodyWrote() {
        add("client1.1", Event.BEGUN, "client1.1-0", 1);
        add("nemesis", Event.READ, "client1.1-0", 7);
        add("client1.2", Event.LOST, "", 5);

        assertThat(WriteTrial.silentLosses(events)).singleElement().asString().contains("nobody wrote");
    }

    private void acknowledged(String subject) {
        add("client1.1", Event.BEGUN, subject, 1);
        add("client1.1", Event.ACKNOWLEDGED, subject, 1);
    }

    private void add(String who, String what, String subject, long number) {
        long at = events.size() * 10L;
        events.add(new Event(who, what, subject, number, at, at + 5));
    }
}
