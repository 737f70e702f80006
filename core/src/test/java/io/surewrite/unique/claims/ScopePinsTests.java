package io.surewrite.unique.claims;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScopePinsTests {

    private static final int REMEMBERED = 10_000;

    private final ScopePins pins = new ScopePins(7);

    @Test
    void knowsWhenATimestampWasFirstUsed() {
        assertThat(pins.firstUse(10, 1_000)).isEqualTo(1_000);
        assertThat(pins.firstUse(10, 2_000)).isEqualTo(1_000);
        assertThat(pins.firstUse(11, 3_000)).isEqualTo(3_000);
    }

    @Test
    void attemptsOfOneScopeHaveOneOrigin() {
        assertThat(pins.originOf(10)).isEqualTo(pins.originOf(10)).isNotEqualTo(pins.originOf(11));
        assertThat(pins.originOf(10)).isNotEqualTo(new ScopePins(8).originOf(10));
    }

    /** One that was forgotten, or may have been, is not taken for a new one. */
    @Test
    void forgetsTheOldestAndDoesNotTakeItForNew() {
        for (int i = 1; i <= REMEMBERED; i++) {
            pins.firstUse(i, i);
        }
        assertThat(pins.firstUse(1, 5_000_000)).as("as many as it remembers").isEqualTo(1);
        pins.firstUse(REMEMBERED + 1, 5_000_000);
        assertThat(pins.firstUse(1, 5_000_000)).isNull();
        assertThat(pins.firstUse(0, 5_000_000)).isNull();
        assertThat(pins.firstUse(2, 5_000_000)).isEqualTo(2);
    }
}
