package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteCheckerTests {

    private final List<Event> events = new ArrayList<>();

    @Test
    void acceptsReadsOfTheNewestAndOfWhatIsUnderWay() {
        begun(1, 0);
        acknowledged(1, 0, 10);
        read(1, 20, 30);
        begun(2, 40);
        read(1, 41, 45);
        read(2, 46, 50);
        acknowledged(2, 40, 60);
        read(2, 70, 80);

        assertThat(violations()).isEmpty();
    }

    @Test
    void findsAnAcknowledgedWriteThatIsLost() {
        begun(1, 0);
        acknowledged(1, 0, 10);
        read(0, 20, 30);

        assertThat(violations()).singleElement().asString().contains("version 1 was acknowledged", "shows 0");
    }

    @Test
    void findsAnOlderWriteOverANewerOne() {
        begun(1, 0);
        begun(2, 20);
        acknowledged(2, 20, 30);
        read(1, 40, 50);

        assertThat(violations()).singleElement().asString().contains("version 2 was acknowledged", "shows 1");
    }

    @Test
    void findsAReadThatFallsBack() {
        begun(1, 0);
        begun(2, 10);
        read(2, 20, 30);
        read(1, 40, 50);

        assertThat(violations()).singleElement().asString().contains("version 2 was read", "shows 1");
    }

    @Test
    void findsWhatNobodyWrote() {
        begun(1, 0);
        read(2, 20, 30);

        assertThat(violations()).singleElement().asString().contains("nobody wrote");
    }

    @Test
    void findsAVersionThatIsUsedTwice() {
        begun(1, 0);
        begun(1, 10);

        assertThat(violations()).singleElement().asString().contains("written twice");
    }

    @Test
    void acceptsAWriteThatFailedWhetherItIsThereOrNot() {
        begun(1, 0);
        acknowledged(1, 0, 10);
        begun(2, 20);
        events.add(new Event("a", Event.FAILED, "row", 2, 20, 30));
        read(1, 40, 50);
        read(2, 60, 70);

        assertThat(violations()).isEmpty();
    }

    private List<Violation> violations() {
        return new WriteChecker().violations(events);
    }

    private void begun(long version, long at) {
        events.add(new Event("a", Event.BEGUN, "row", version, at, at));
    }

    private void acknowledged(long version, long from, long to) {
        events.add(new Event("a", Event.ACKNOWLEDGED, "row", version, from, to));
    }

    private void read(long version, long from, long to) {
        events.add(new Event("b", Event.READ, "row", version, from, to));
    }
}
