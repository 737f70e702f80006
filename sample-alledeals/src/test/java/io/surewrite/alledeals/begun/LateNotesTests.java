package io.surewrite.alledeals.begun;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LateNotesTests {

    private final LateNotes notes = new LateNotes();

    @Test
    void areThereWhenSomethingHasWaitedForLong() {
        notes.replayed("any", Duration.ofMinutes(6));

        assertThat(notes.take()).isTrue();
        assertThat(notes.take()).isFalse();
    }

    @Test
    void areNotThereWhenARecentBucketHoldsThem() {
        notes.replayed("any", Duration.ofMinutes(5));

        assertThat(notes.take()).isFalse();
    }
}
