package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StockCheckerTests {

    private final List<Event> events = new ArrayList<>();

    @Test
    void acceptsThatAllIsSoldAndTheRestRefused() {
        saw(Event.BEGUN, "lamp/a", 2);
        saw(Event.BEGUN, "lamp/b", 2);
        saw(Event.ACKNOWLEDGED, "lamp/a", 2);
        saw(Event.REFUSED, "lamp/b", 2);
        atTheEnd(3, 1);
        saw(Event.SOLD, "lamp/a", 2);
        saw(Event.NODE_FAULT, "node, killed", 0);

        assertThat(violations()).isEmpty();
    }

    @Test
    void acceptsAnUnknownOutcomeThatWasSettled() {
        saw(Event.BEGUN, "lamp/a", 1);
        saw(Event.FAILED, "lamp/a", 1);
        saw(Event.ACKNOWLEDGED, "lamp/a", 1);
        atTheEnd(1, 0);
        saw(Event.SOLD, "lamp/a", 1);

        assertThat(violations()).isEmpty();
    }

    @Test
    void findsUnitsThatAreLost() {
        bought("lamp/a", 1);
        atTheEnd(3, 1);

        assertThat(violations()).singleElement().asString().contains("3 offered, but 1 are left and 1 sold");
    }

    @Test
    void findsUnitsThatAreSoldTwice() {
        bought("lamp/a", 2);
        bought("lamp/b", 2);
        atTheEnd(3, -1);

        assertThat(violations()).singleElement().asString().contains("-1 are left");
    }

    @Test
    void findsWhatWasAcknowledgedAndIsNotThere() {
        saw(Event.BEGUN, "lamp/a", 1);
        saw(Event.ACKNOWLEDGED, "lamp/a", 1);
        atTheEnd(3, 3);

        assertThat(violations()).singleElement().asString().contains("lamp/a", "not there");
    }

    @Test
    void findsWhatWasRefusedAndSoldAllTheSame() {
        saw(Event.BEGUN, "lamp/a", 1);
        saw(Event.REFUSED, "lamp/a", 1);
        atTheEnd(1, 0);
        saw(Event.SOLD, "lamp/a", 1);

        assertThat(violations()).singleElement().asString().contains("lamp/a", "refused, and sold");
    }

    @Test
    void findsARefusalInVain() {
        saw(Event.BEGUN, "lamp/a", 1);
        saw(Event.REFUSED, "lamp/a", 1);
        atTheEnd(1, 1);

        assertThat(violations()).singleElement().asString().contains("1 refused, but 1 are left");
    }

    @Test
    void findsAPurchaseOfAnotherSize() {
        saw(Event.BEGUN, "lamp/a", 1);
        saw(Event.ACKNOWLEDGED, "lamp/a", 1);
        atTheEnd(3, 1);
        saw(Event.SOLD, "lamp/a", 2);

        assertThat(violations()).singleElement().asString().contains("2 sold, but 1 wanted");
    }

    @Test
    void findsAPurchaseThatNobodyMade() {
        atTheEnd(1, 0);
        saw(Event.SOLD, "lamp/a", 1);

        assertThat(violations()).singleElement().asString().contains("1 sold, but null wanted");
    }

    @Test
    void findsWhoNeverGotAnAnswer() {
        saw(Event.BEGUN, "lamp/a", 1);
        saw(Event.FAILED, "lamp/a", 1);
        atTheEnd(1, 1);

        assertThat(violations()).singleElement().asString().contains("lamp/a", "never got an answer");
    }

    @Test
    void findsAnItemThatWasNotRead() {
        saw(Event.BEGUN, "lamp/a", 1);
        saw(Event.ACKNOWLEDGED, "lamp/a", 1);

        assertThat(violations()).singleElement().asString().contains("lamp was not read");
    }

    private List<String> violations() {
        return new StockChecker().violations(events);
    }

    private void bought(String purchase, long quantity) {
        saw(Event.BEGUN, purchase, quantity);
        saw(Event.ACKNOWLEDGED, purchase, quantity);
        saw(Event.SOLD, purchase, quantity);
    }

    private void atTheEnd(long offered, long available) {
        saw(Event.OFFERED, "lamp", offered);
        saw(Event.AVAILABLE, "lamp", available);
    }

    private void saw(String what, String subject, long number) {
        events.add(new Event("a", what, subject, number, events.size(), events.size()));
    }
}
