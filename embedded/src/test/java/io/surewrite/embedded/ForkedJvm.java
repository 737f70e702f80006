package io.surewrite.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A JVM of its own with this test's class path: an application that can be killed, or run on another JDK. */
final class ForkedJvm implements AutoCloseable {

    private final Process process;
    private final Path output;

    private ForkedJvm(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static ForkedJvm start(Path javaHome, Path output, Class<?> main, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                javaHome.resolve("bin/java").toString(), "-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(args));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        return new ForkedJvm(builder.start(), output);
    }

    static Path thisJavaHome() {
        return Path.of(System.getProperty("java.home"));
    }

    String output() throws IOException {
        return new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
    }

    /** Waits until the output has the pattern, and returns all of its first groups. */
    List<String> await(String pattern, int times) {
        return Awaitility.await()
                .atMost(Duration.ofMinutes(3))
                .until(
                        () -> {
                            Matcher matcher = Pattern.compile(pattern).matcher(output());
                            if (!process.isAlive() && !matcher.find()) {
                                throw new IllegalStateException("Ended with " + process.exitValue() + ": " + output());
                            }
                            return matcher.reset()
                                    .results()
                                    .map(result -> result.group(1))
                                    .toList();
                        },
                        found -> found.size() >= times);
    }

    int awaitExit() throws InterruptedException {
        return process.waitFor();
    }

    /** Asks it to end, as Ctrl-C does. */
    void interrupt() {
        process.destroy();
    }

    /** Ends it as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
