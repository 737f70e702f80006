package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WrittenRowsTests {

    private static final Event BEGUN = new Event("client", Event.BEGUN, "note", 1, 0, 1);
    private static final Event ACKNOWLEDGED = new Event("client", Event.ACKNOWLEDGED, "note", 1, 0, 5);

    @Test
    void acceptsWhatIsThereOnce() {
        assertThat(WrittenRows.violations(List.of(BEGUN, ACKNOWLEDGED, read(1))))
                .isEmpty();
    }

    @Test
    void findsWhatWasAcknowledgedAndIsNotThere() {
        assertThat(WrittenRows.violations(List.of(BEGUN, ACKNOWLEDGED)))
                .containsExactly(new Violation("note", true, "note was acknowledged and is not there"));
    }

    @Test
    void findsWhatIsThereTwice() {
        assertThat(WrittenRows.violations(List.of(BEGUN, ACKNOWLEDGED, read(2))))
                .isNotEmpty();
    }

    private static Event read(long version) {
        return new Event("nemesis", Event.READ, "note", version, 10, 11);
    }
}
