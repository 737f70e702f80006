package io.surewrite.alledeals.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the Lab may say that an outage adds up. */
class OutageTests {

    private final Outage outage = new Outage();
    private final UUID lamp = UUID.randomUUID();

    @BeforeEach
    void keepsALamp() {
        outage.wasKept(lamp);
        outage.sizeRead(1);
    }

    @Test
    void addsUpWhenWhatWasKeptIsOnTheShelfAndNothingWaits() {
        ends(0);

        assertThat(outage.addsUp()).isFalse();
        assertThat(outage.arrived()).isOne();

        outage.cameToTheShelf(lamp);

        assertThat(outage.addsUp()).isTrue();
        assertThat(outage.arrived()).isZero();
        assertThat(outage.onTheShelf()).isOne();
    }

    @Test
    void doesNotAddUpWhileSomethingWaits() {
        outage.cameToTheShelf(lamp);
        ends(1);

        assertThat(outage.addsUp()).isFalse();
    }

    @Test
    void doesNotAddUpWhenASellerWasTurnedAway() {
        outage.cameToTheShelf(lamp);
        outage.hasFailed();
        ends(0);

        assertThat(outage.addsUp()).isFalse();
    }

    @Test
    void drawsTheBacklogAsALineFromTheGround() {
        assertThat(outage.waitingLine()).matches("[0-9.]+,150\\.0 600\\.0,0\\.0");
        assertThat(outage.isStopped()).isTrue();
        assertThat(outage.startedX()).isNull();

        ends(0);

        assertThat(outage.isStopped()).isFalse();
        assertThat(outage.startedX()).isNotNull();
    }

    private void ends(long waiting) {
        outage.databaseStarted();
        outage.sizeRead(waiting);
        outage.end();
    }
}
