package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.verification.faults.WrittenRows.State;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(longs = {6, 7})
    void aWholeRowReadsAsItsVersion(long version) {
        assertThat(State.of("row", version).version()).isEqualTo(version);
    }

    @Test
    void findsAMixOfVersionsAndAPartThatIsMissing() {
        assertThat(Stream.of(
                        new State("row", 6L, 8L, null, null, Set.of(6L), null),
                        new State("row", 6L, 6L, 7L, null, Set.of(6L), null),
                        new State("row", 6L, 6L, null, null, Set.of(6L), Map.of(7L, 7L)),
                        new State("row", 6L, 6L, null, null, Set.of(6L, 7L), null),
                        new State("row", 6L, null, null, null, Set.of(6L), null),
                        new State("row", 6L, 6L, null, null, null, null),
                        new State("row", null, null, 7L, 7L, Set.of(7L), null)))
                .allMatch(state -> state.version() == WrittenRows.MIX);
        assertThat(WrittenRows.violations(List.of(BEGUN, read(WrittenRows.MIX))))
                .isNotEmpty();
    }

    private static Event read(long version) {
        return new Event("nemesis", Event.READ, "note", version, 10, 11);
    }
}
