package io.surewrite.alledeals.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.lab.Race.Kind;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({
        "BOUGHT SOLD_OUT BOUGHT, 0, true",
        "BOUGHT SOLD_OUT UNKNOWN, 1, false",
        "BOUGHT SOLD_OUT SOLD_OUT, 0, false",
        "BOUGHT SOLD_OUT SOLD_OUT, 2, false"
    })
    void addsUpWhenEverybodyHasAnAnswerAndNoUnitIsLostOrSoldTwice(String answers, int left, boolean addsUp) {
        for (String kind : answers.split(" ", -1)) {
            race.came(Kind.valueOf(kind));
        }
        race.stockRead(left);
        assertThat(race.addsUp()).as("before the end").isFalse();

        race.end();

        assertThat(race.addsUp()).isEqualTo(addsUp);
    }
}
