package io.surewrite.embedded;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jars of one Cassandra version. What Maven resolved once is remembered in a small file, so that later starts load
 * no resolver: that would cost a second each time.
 */
final class ServerClassPath {

    private final @Nullable Path cache;
    private final MavenResolver resolver;

    ServerClassPath(@Nullable Path cache, MavenResolver resolver) {
        this.cache = cache;
        this.resolver = resolver;
    }

    List<Path> of(String version) {
        if (cache == null || version.endsWith("-SNAPSHOT")) {
            return resolver.resolve(version);
        }
        Path file = cache.resolve("classpath-" + Fingerprint.of(version, resolver.localRepositoryHint()) + ".txt");
        List<Path> remembered = read(file);
        if (!remembered.isEmpty() && remembered.stream().allMatch(Files::isRegularFile)) {
            return remembered;
        }
        List<Path> resolved = resolver.resolve(version);
        write(file, resolved);
        return resolved;
    }

    private static List<Path> read(Path file) {
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream().map(Path::of).toList()
                    : List.of();
        } catch (IOException | RuntimeException e) {
            return List.of(); // A damaged file is as good as none: it is written anew.
        }
    }

    private static void write(Path file, List<Path> classPath) {
        try {
            Path part = Files.createTempFile(file.getParent(), "classpath-", ".part");
            Files.write(part, classPath.stream().map(Path::toString).toList());
            try {
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            } catch (AtomicMoveNotSupportedException e) {
                Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            System.getLogger(ServerClassPath.class.getName())
                    .log(System.Logger.Level.DEBUG, "Cannot remember the class path", e);
        }
    }
}
