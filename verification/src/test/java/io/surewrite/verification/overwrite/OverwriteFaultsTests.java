package io.surewrite.verification.overwrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.verification.overwrite.OverwriteFaults.State;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OverwriteFaultsTests {

    @Test
    void acceptsOneVersion() {
        assertThat(State.of(1, 6).isOneVersion()).isTrue();
        assertThat(State.of(1, 7).isOneVersion()).isTrue();
    }

    @Test
    void findsAMixOfVersions() {
        assertThat(new State(1, 6L, 8L, null, null, Set.of(6L), null).isOneVersion())
                .isFalse();
        assertThat(new State(1, 6L, 6L, 7L, null, Set.of(6L), null).isOneVersion())
                .isFalse();
        assertThat(new State(1, 6L, 6L, null, null, Set.of(6L), Map.of(7L, 7L)).isOneVersion())
                .isFalse();
        assertThat(new State(1, 6L, 6L, null, null, Set.of(6L, 7L), null).isOneVersion())
                .isFalse();
    }

    @Test
    void findsARowOfWhichAPartIsMissing() {
        assertThat(new State(1, 6L, null, null, null, Set.of(6L), null).isOneVersion())
                .isFalse();
        assertThat(new State(1, 6L, 6L, null, null, null, null).isOneVersion()).isFalse();
        assertThat(new State(1, null, null, 7L, 7L, Set.of(7L), null).isOneVersion())
                .isFalse();
    }
}
