package io.surewrite.alledeals.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the Lab may say that an outage adds up. */
class OutageViewTests {

    private final Outage outage = new Outage();
    private final UUID lamp = UUID.randomUUID();

    @BeforeEach
    void keepsALamp() {
        outage.sizeRead(0);
        outage.wasKept(lamp);
        outage.sizeRead(1);
    }

    @Test
    void addsUpWhenWhatWasKeptIsOnTheShelfAndNothingWaits() {
        ends(0);

        assertThat(OutageView.of(outage).addsUp()).isFalse();
        assertThat(OutageView.of(outage).arrived()).isOne();

        outage.cameToTheShelf(lamp);

        assertThat(OutageView.of(outage).addsUp()).isTrue();
        assertThat(OutageView.of(outage).arrived()).isZero();
        assertThat(OutageView.of(outage).onTheShelf()).isOne();
    }

    @Test
    void doesNotAddUpWhileSomethingWaits() {
        outage.cameToTheShelf(lamp);
        ends(1);

        assertThat(OutageView.of(outage).addsUp()).isFalse();
    }

    @Test
    void doesNotAddUpWhenASellerWasTurnedAway() {
        outage.cameToTheShelf(lamp);
        outage.hasFailed();
        ends(0);

        assertThat(OutageView.of(outage).addsUp()).isFalse();
    }

    @Test
    void drawsTheBacklogAsALineFromTheGround() {
        assertThat(OutageView.of(outage).waitingLine()).matches("[0-9.]+,150\\.0 600\\.0,0\\.0");
        assertThat(OutageView.of(outage).isStopped()).isTrue();
        assertThat(OutageView.of(outage).startedX()).isNull();

        ends(0);

        assertThat(OutageView.of(outage).isStopped()).isFalse();
        assertThat(OutageView.of(outage).startedX()).isNotNull();
    }

    @Test
    void isNotOverWhenItEndsWhileItIsBeingLookedAt() {
        Outage ending = new Outage() {
            @Override
            List<Level> levels() {
                List<Level> before = super.levels();
                sizeRead(0);
                end();
                return before;
            }
        };
        ending.sizeRead(1);

        assertThat(OutageView.of(ending).isOver()).isFalse();
        assertThat(OutageView.of(ending).addsUp()).isTrue();
    }

    private void ends(long waiting) {
        outage.databaseStarted();
        outage.sizeRead(waiting);
        outage.end();
    }
}
