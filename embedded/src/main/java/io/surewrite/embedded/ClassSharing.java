package io.surewrite.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The class-data-sharing archive of one JDK, class path and set of flags: what the first start has loaded, every later one
 * maps into its memory. It is written once, at the end of the first start.
 */
final class ClassSharing {

    private static final String PREFIX = "classes-";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration KEPT = Duration.ofDays(60);
    private static final int FIRST_JDK_WITH_DYNAMIC_DUMP = 17;

    private final @Nullable Path archive;

    private ClassSharing(@Nullable Path archive) {
        this.archive = archive;
    }

    static ClassSharing of(@Nullable Path cache, Jdk jdk, List<Path> classPath, List<String> flags) {
        if (cache == null || !canShare(jdk, flags)) {
            return new ClassSharing(null);
        }
        String name = Fingerprint.of(jdk.home(), jdk.version(), classPath, flags);
        return new ClassSharing(cache.resolve(PREFIX + name + ".jsa"));
    }

    /** An archive builds on the JDK's own, which some builds lack; a JVM told otherwise would not even start. */
    private static boolean canShare(Jdk jdk, List<String> flags) {
        return jdk.feature() >= FIRST_JDK_WITH_DYNAMIC_DUMP
                && Stream.of("lib/server/classes.jsa", "bin/server/classes.jsa")
                        .anyMatch(base -> Files.isRegularFile(jdk.home().resolve(base)))
                && flags.stream().noneMatch(flag -> flag.startsWith("-Xshare") || flag.contains("Compressed"));
    }

    List<String> arguments() {
        if (archive == null) {
            return List.of();
        }
        String use = isThere(archive) ? "-XX:SharedArchiveFile=" + archive : "-XX:+RecordDynamicDumpInfo";
        return List.of(use, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
    }

    private static boolean isThere(Path archive) {
        return Files.isRegularFile(archive);
    }

    /** Lets a server that has just started write the archive, unless there is one. */
    void writeFrom(ServerProcess server) {
        if (archive == null || isThere(archive)) {
            return;
        }
        Path made = archive.resolveSibling(archive.getFileName() + "." + server.pid());
        Path failed = made.resolveSibling(made.getFileName() + ".failed");
        try {
            server.tell("archive " + made);
            if (appears(made, failed, server)) {
                Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
            }
            Files.deleteIfExists(failed);
            deleteOld(archive.resolveSibling(""));
        } catch (IOException e) {
            System.getLogger(ClassSharing.class.getName())
                    .log(System.Logger.Level.DEBUG, "No class-data-sharing archive: starts stay slower", e);
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
