package io.surewrite.verification.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Whose code is running while one thread does the same again and again. A sample of a thread counts for the library that is
 * next to the top of its stack: what that calls of the JDK is its own.
 */
final class Profile {

    private static final Duration PERIOD = Duration.ofMillis(10);

    private final Map<Whose, Integer> caller = new EnumMap<>(Whose.class);
    private final Map<Whose, Integer> drivers = new EnumMap<>(Whose.class);

    private enum Whose {
        SUREWRITE,
        SPRING,
        DRIVER,
        OTHERS;

        static Whose of(RecordedFrame frame) {
            String type = frame.getMethod().getType().getName();
            if (type.startsWith("io.surewrite.") && !type.startsWith("io.surewrite.verification.")) {
                return SUREWRITE;
            }
            return type.startsWith("org.springframework.")
                    ? SPRING
                    : type.startsWith("com.datastax.") || type.startsWith("io.netty.") ? DRIVER : OTHERS;
        }
    }

    private Profile() {}

    /** The head of a table of {@link #row}s. */
    static void head(Results results) {
        results.print("");
        results.print(
                "| % of the samples | caller: Spring | driver | Surewrite | driver's threads: driver | Surewrite |");
        results.print("|---|---|---|---|---|---|");
    }

    /** {@return a row of a table: whose code runs while the caller does something for so long} */
    static String row(String name, Throughput.Work work, Duration howLong) throws Exception {
        Profile profile = new Profile();
        Path file = Files.createTempFile("profile", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ExecutionSample").withPeriod(PERIOD);
            recording.start();
            long end = System.nanoTime() + howLong.toNanos();
            while (System.nanoTime() < end) {
                work.once();
            }
            recording.stop();
            recording.dump(file);
            profile.read(file, Thread.currentThread());
        } finally {
            Files.delete(file);
        }
        return "| %s | %s | %s |"
                .formatted(
                        name,
                        shares(profile.caller, Whose.SPRING, Whose.DRIVER, Whose.SUREWRITE),
                        shares(profile.drivers, Whose.DRIVER, Whose.SUREWRITE));
    }

    private void read(Path file, Thread own) throws IOException {
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            if (event.getEventType().getName().equals("jdk.ExecutionSample")) {
                RecordedThread thread = event.getThread("sampledThread");
                if (thread.getJavaThreadId() == own.getId()) {
                    caller.merge(whose(event), 1, Integer::sum);
                } else if (thread.getJavaName() != null && thread.getJavaName().contains(ThreadCosts.OF_DRIVER)) {
                    drivers.merge(whose(event), 1, Integer::sum);
                }
            }
        }
    }

    private static Whose whose(RecordedEvent sample) {
        return sample.getStackTrace().getFrames().stream()
                .map(Whose::of)
                .filter(each -> each != Whose.OTHERS)
                .findFirst()
                .orElse(Whose.OTHERS);
    }

    private static String shares(Map<Whose, Integer> samples, Whose... columns) {
        ToDoubleFunction<Whose> of = whose -> samples.getOrDefault(whose, 0);
        double all = Stream.of(Whose.values()).mapToDouble(of).sum();
        return Stream.of(columns)
                .map(whose -> String.format(Locale.ROOT, "%.0f", 100 * of.applyAsDouble(whose) / Math.max(1, all)))
                .collect(Collectors.joining(" | "));
    }
}
