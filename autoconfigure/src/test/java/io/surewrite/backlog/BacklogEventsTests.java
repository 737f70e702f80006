package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.backlog.WriteBacklog.BacklogSize;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class BacklogEventsTests {

    private static final BacklogSize EMPTY = new BacklogSize(0, 1, 100, null, 0);
    private static final Instant OLDEST = Instant.parse("2026-11-23T10:00:00Z");
    private static final BacklogSize SEVEN = new BacklogSize(7, 0, 100, OLDEST, 0);

    private final List<String> heard = new ArrayList<>();

    @Test
    void hasOneLineForAnOutageAndOneForItsEnd(CapturedOutput output) {
        BacklogEvents events = new BacklogEvents(List.of(), ObservationRegistry.NOOP, EMPTY);
        for (int i = 0; i < 1_000; i++) {
            events.kept("People.save");
        }
        assertThat(lines(output))
                .singleElement()
                .asString()
                .contains("INFO")
                .contains("People.save: kept in the backlog, as further writes are, until Cassandra takes them");
        for (int i = 0; i < 1_000; i++) {
            events.replayed("People.save", Duration.ofSeconds(9));
        }
        events.noteIfDrained(EMPTY);
        assertThat(lines(output)).hasSize(2);
        assertThat(lines(output).get(1)).contains("The backlog has drained").endsWith("Done meanwhile: 1000");
        events.kept("People.save");
        assertThat(lines(output)).as("the next outage").hasSize(3);
    }

    @Test
    void saysThatWritesWaitWhenTheProcessEndsAndWhenItBegins(CapturedOutput output) {
        events(EMPTY).closed(EMPTY);
        assertThat(lines(output)).isEmpty();
        BacklogEvents events = events(SEVEN);
        events.closed(SEVEN);
        assertThat(output)
                .contains("The process ends while 7 write(s) wait in the backlog, the oldest since " + OLDEST)
                .contains("7 write(s) wait in the backlog from before this start, the oldest since " + OLDEST);
        events.noteIfDrained(EMPTY);
        assertThat(output).contains("The backlog has drained");
    }

    @Test
    void listenersAreToldWhateverAnotherThrows(CapturedOutput output) {
        DeadLetter letter = new DeadLetter(
                1, "People.save", "", "", List.of(), 1, Instant.EPOCH, DeadLetter.Reason.TOO_OLD, "too old");
        BacklogEvents events = events(EMPTY);
        for (int i = 0; i < 100; i++) {
            events.replayed("People.save", Duration.ZERO);
            events.expired("People.save");
            events.died(letter);
        }
        assertThat(heard).hasSize(600).startsWith("replayed", "replayed", "expired", "expired", "died", "died");
        assertThat(output)
                .containsOnlyOnce("People.save: expired before it could be done")
                .containsOnlyOnce("People.save: given up after it was kept, dead letter 1, too-old")
                .containsOnlyOnce("Throwing failed. It changed nothing");
    }

    private BacklogEvents events(BacklogSize size) {
        return new BacklogEvents(List.of(new Throwing(), new Throwing()), ObservationRegistry.NOOP, size);
    }

    private final class Throwing implements BacklogListener {

        private void hear(String what) {
            heard.add(what);
            throw new IllegalStateException("a listener that fails");
        }

        @Override
        public void replayed(String operation, Duration waited) {
            hear("replayed");
        }

        @Override
        public void expired(String operation) {
            hear("expired");
        }

        @Override
        public void died(DeadLetter letter) {
            hear("died");
        }
    }

    private static List<String> lines(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("BacklogEvents"))
                .toList();
    }
}
