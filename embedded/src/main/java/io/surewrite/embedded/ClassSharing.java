package io.surewrite.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The class-data-sharing archive of one JDK, class path and set of flags: what the first start has loaded, every later one
 * maps into its memory. It is written once, at the end of the first start: on JDK 17 by the server itself. A newer JVM does not
 * survive that: 25 crashes when it next links one of the JDK's lambdas that is not in the JDK's own archive.
 */
final class ClassSharing {

    private static final String PREFIX = "classes-";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration KEPT = Duration.ofDays(60);
    private static final int FIRST_JDK_WITH_DYNAMIC_DUMP = 17;
    private static final int LAST_JDK_THAT_SURVIVES_A_DUMP = 17;

    private final @Nullable Path archive;
    private final Jdk jdk;
    private final List<Path> classPath;
    private final List<String> flags;

    private ClassSharing(@Nullable Path archive, Jdk jdk, List<Path> classPath, List<String> flags) {
        this.archive = archive;
        this.jdk = jdk;
        this.classPath = List.copyOf(classPath);
        this.flags = List.copyOf(flags);
    }

    static ClassSharing of(@Nullable Path cache, Jdk jdk, List<Path> classPath, List<String> flags) {
        String name = PREFIX + Fingerprint.of(jdk.home(), jdk.version(), classPath, flags) + ".jsa";
        Path archive = cache == null || !canShare(jdk, flags) ? null : cache.resolve(name);
        return new ClassSharing(archive, jdk, classPath, flags);
    }

    /** An archive builds on the JDK's own, which some builds lack; a JVM told otherwise would not even start. */
    private static boolean canShare(Jdk jdk, List<String> flags) {
        return jdk.feature() >= FIRST_JDK_WITH_DYNAMIC_DUMP
                && Stream.of("lib/server/classes.jsa", "bin/server/classes.jsa")
                        .anyMatch(base -> Files.isRegularFile(jdk.home().resolve(base)))
                && flags.stream().noneMatch(flag -> flag.startsWith("-Xshare") || flag.contains("Compressed"));
    }

    List<String> arguments(Path nodeDirectory) {
        if (archive == null) {
            return List.of();
        }
        List<String> arguments = new ArrayList<>(List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
        if (isThere(archive)) {
            arguments.add("-XX:SharedArchiveFile=" + archive);
        } else if (survivesDump()) {
            arguments.add("-XX:+RecordDynamicDumpInfo");
        } else {
            arguments.add("-XX:DumpLoadedClassList=" + classList(nodeDirectory));
        }
        return arguments;
    }

    private boolean survivesDump() {
        return jdk.feature() <= LAST_JDK_THAT_SURVIVES_A_DUMP;
    }

    private static Path classList(Path nodeDirectory) {
        return nodeDirectory.resolve("classes.list");
    }

    private static boolean isThere(Path archive) {
        return Files.isRegularFile(archive);
    }

    /** Writes the archive with what a server that has just started knows, unless there is one. */
    void writeFrom(ServerProcess server, Path nodeDirectory) {
        if (archive == null || isThere(archive)) {
            return;
        }
        Path made = archive.resolveSibling(archive.getFileName() + "." + server.pid());
        try {
            if (survivesDump() ? dumpIn(server, made) : dumpBeside(nodeDirectory, made)) {
                Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
            }
            deleteOld(archive.resolveSibling(""));
        } catch (IOException e) {
            System.getLogger(ClassSharing.class.getName())
                    .log(System.Logger.Level.DEBUG, "No class-data-sharing archive: starts stay slower", e);
        }
    }

    /** In the server itself: quick. */
    private static boolean dumpIn(ServerProcess server, Path made) throws IOException {
        Path failed = made.resolveSibling(made.getFileName() + ".failed");
        server.tell("archive " + made);
        boolean appears = appears(made, failed, server);
        Files.deleteIfExists(failed);
        return appears;
    }

    /** In a JVM of its own, from the list of classes that the server has loaded. */
    private boolean dumpBeside(Path nodeDirectory, Path made) throws IOException {
        List<String> arguments = new ArrayList<>(flags);
        arguments.add("-Xshare:dump");
        arguments.add("-XX:SharedClassListFile=" + classList(nodeDirectory));
        arguments.add("-XX:SharedArchiveFile=" + made);
        arguments.addAll(JvmArguments.classPath(classPath));
        Process dump = jdk.process(NodeFiles.argumentFile(nodeDirectory, "classes.args", arguments))
                .directory(nodeDirectory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return dump.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS) && dump.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            dump.destroyForcibly();
        }
    }

    private static boolean appears(Path made, Path failed, ServerProcess server) {
        long start = System.nanoTime();
        while (!Files.exists(made)) {
            if (Files.exists(failed) || !server.isAlive() || System.nanoTime() - start > PATIENCE.toNanos()) {
                return false;
            }
            NodeLauncher.sleep();
        }
        return true;
    }

    /** Archives are large, and those of former versions and flags are of no use. */
    private static void deleteOld(Path cache) throws IOException {
        Instant limit = Instant.now().minus(KEPT);
        try (Stream<Path> files = Files.list(cache)) {
            List<Path> archives = files.filter(
                            file -> file.getFileName().toString().startsWith(PREFIX))
                    .toList();
            for (Path file : archives) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
