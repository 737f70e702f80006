package io.surewrite.alledeals.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.lab.Race.Kind;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** When the Lab may say that a race adds up. */
class RaceTests {

    private static final Item ITEM = new Item(
            new UUID(0x1000, 0x8000_0000_0000_0000L),
            UUID.randomUUID(),
            "Race of 3 for 2",
            "",
            BigDecimal.ONE,
            2,
            2,
            Instant.EPOCH,
            Instant.EPOCH,
            Set.of(),
            false);

    private final Race race = new Race(ITEM, 3);

    @Test
    void addsUpWhenEverybodyHasAnAnswerAndNoUnitIsLost() {
        answers(Kind.BOUGHT, Kind.SOLD_OUT, Kind.BOUGHT);
        race.stockRead(0);
        assertThat(race.addsUp()).as("before the end").isFalse();

        race.end();

        assertThat(race.addsUp()).isTrue();
    }

    @Test
    void doesNotAddUpWhileSomebodyHasNoAnswer() {
        race.end();
        assertThat(race.addsUp()).isFalse();

        answers(Kind.BOUGHT, Kind.SOLD_OUT, Kind.UNKNOWN);
        race.stockRead(1);
        assertThat(race.addsUp()).isFalse();
    }

    @Test
    void doesNotAddUpWhenAUnitIsLostOrSoldTwice() {
        answers(Kind.BOUGHT, Kind.SOLD_OUT, Kind.SOLD_OUT);
        race.end();

        race.stockRead(0);
        assertThat(race.addsUp()).as("lost").isFalse();
        race.stockRead(2);
        assertThat(race.addsUp()).as("sold twice").isFalse();
    }

    private void answers(Kind... kinds) {
        for (Kind kind : kinds) {
            race.came(kind);
        }
    }
}
