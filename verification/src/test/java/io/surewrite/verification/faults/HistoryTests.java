package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTests {

    @TempDir
    private Path directory;

    @Test
    void putsTheHistoriesOfAllProcessesInOrder() throws IOException {
        try (History one = History.open(directory, "one");
                History other = History.open(directory, "other")) {
            one.add(Event.HELD, "a \"name\"", 7, 30);
            other.add(Event.RUN, "", 0, 10);
            one.add(Event.READ, "row", 2, 20);
            // Nothing is closed yet: a killed process does not close either.
            Files.writeString(directory.resolve("one.jsonl"), "{\"who\":\"on", StandardOpenOption.APPEND);

            assertThat(History.read(directory)).extracting(Event::from).containsExactly(10L, 20L, 30L);
            assertThat(History.read(directory).get(2)).satisfies(event -> {
                assertThat(event.who()).isEqualTo("one");
                assertThat(event.subject()).isEqualTo("a \"name\"");
                assertThat(event.number()).isEqualTo(7);
                assertThat(event.to()).isGreaterThan(30);
            });
        }
    }
}
