package io.surewrite.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The class-data-sharing archive of one JDK, class path and set of flags: what the first start has loaded, every later one
 * maps into its memory. It is written once, at the end of the first start.
 */
final class ClassSharing {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
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
        return new ClassSharing(cache.resolve("classes-" + name + ".jsa"));
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
        return isThere()
                ? List.of("-XX:SharedArchiveFile=" + archive, "-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off")
                : List.of("-XX:+RecordDynamicDumpInfo", "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
    }

    boolean isThere() {
        return archive != null && Files.isRegularFile(archive);
    }

    /** Lets a server that has just started write the archive, unless there is one. */
    void writeFrom(ServerProcess server) {
        if (archive == null || isThere()) {
            return;
        }
        Path part = archive.resolveSibling(archive.getFileName() + "." + server.pid());
        Path failed = part.resolveSibling(part.getFileName() + ".failed");
        try {
            server.tell("archive " + part);
            long start = System.nanoTime();
            while (server.isAlive()
                    && !Files.exists(part)
                    && !Files.exists(failed)
                    && System.nanoTime() - start < PATIENCE.toNanos()) {
                Thread.sleep(20);
            }
            if (Files.exists(part)) {
                Files.move(part, archive, StandardCopyOption.ATOMIC_MOVE);
            }
            Files.deleteIfExists(failed);
        } catch (IOException e) {
            System.getLogger(ClassSharing.class.getName())
                    .log(System.Logger.Level.DEBUG, "No class-data-sharing archive: starts stay slower", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
