package io.surewrite.verification.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one process saw, a line of JSON for each event. Every line is handed to the operating system at once, so it is
 * there even if the process is killed. Thread-safe.
 */
final class History implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SUFFIX = ".jsonl";

    private final String who;
    private final BufferedWriter writer;
    private final AtomicLong numbers = new AtomicLong();

    private History(String who, BufferedWriter writer) {
        this.who = who;
        this.writer = writer;
    }

    /** Opens the history of a process, in the directory of its run. */
    static History open(Path directory, String who) throws IOException {
        Files.createDirectories(directory);
        return new History(who, Files.newBufferedWriter(directory.resolve(who + SUFFIX)));
    }

    /** {@link #add(String, String, String, long, long)} without a content. */
    void add(String what, String subject, long number, long from) {
        add(what, subject, null, number, from);
    }

    /** Writes an event down that began then, by {@link System#nanoTime()}, and ends now. */
    void add(String what, String subject, @Nullable String content, long number, long from) {
        Event event = new Event(who, what, subject, content, number, from, System.nanoTime());
        synchronized (this) {
            try {
                writer.write(JSON.writeValueAsString(event));
                writer.newLine();
                writer.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** {@return a number that no other call of this process has} */
    long number() {
        return numbers.incrementAndGet();
    }

    /** {@return all events of a run, by the time of their beginning} */
    static List<Event> read(Path directory) throws IOException {
        List<Event> events = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(SUFFIX)).toList()) {
                List<String> lines = Files.readAllLines(file);
                for (String line : lines) {
                    // A process that was killed may have left half a line.
                    if (line.endsWith("}")) {
                        events.add(JSON.readValue(line, Event.class));
                    }
                }
            }
        }
        events.sort(Comparator.comparingLong(Event::from));
        return events;
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
