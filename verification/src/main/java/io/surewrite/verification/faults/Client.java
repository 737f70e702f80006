package io.surewrite.verification.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A client in a JVM of its own, which can be stopped and killed. It ends when its standard input does. */
final class Client {

    private final String name;
    private final Class<?> program;
    private final List<String> arguments;
    private final Path logs;
    private int lives;
    private Process process;

    /** Starts it. */
    Client(String name, Class<?> program, List<String> arguments, Path logs) throws IOException {
        this.logs = logs;
        this.name = name;
        this.program = program;
        this.arguments = List.copyOf(arguments);
        this.process = launch();
    }

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(inherited());
        command.addAll(
                List.of("-classpath", System.getProperty("java.class.path"), program.getName(), name + "." + ++lives));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
    }

    /** Properties of Spring that were set for the whole run. */
    private static List<String> inherited() {
        return System.getProperties().stringPropertyNames().stream()
                .filter(property ->
                        property.startsWith("surewrite.conditional.") || property.startsWith("spring.cassandra."))
                .map(property -> "-D" + property + "=" + System.getProperty(property))
                .toList();
    }

    private Path log() {
        return logs.resolve(this + ".log");
    }

    /** {@return whether it has started, and does what it is there for} */
    boolean isAtWork() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException(this + " has ended, see its log in " + logs);
        }
        return Files.readString(log()).contains(Program.AT_WORK);
    }

    void stop() throws IOException, InterruptedException {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Starts it again after it was killed, under another name. */
    void restart() throws IOException {
        process = launch();
    }

    /** Asks it to end: its threads do so after what each of them has begun. */
    void askToEnd() throws IOException {
        process.getOutputStream().close();
    }

    /** Waits until it has ended, as it was asked to. */
    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(this + " does not end");
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException(this + " ended with " + process.exitValue() + ", see its log in " + logs);
        }
    }

    private void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    @Override
    public String toString() {
        return name + "." + lives;
    }
}
