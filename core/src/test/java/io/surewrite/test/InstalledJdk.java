package io.surewrite.test;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An installed JDK.
 *
 * @param version of it
 * @param home where it is
 */
public record InstalledJdk(Runtime.Version version, Path home) {

    /**
     * The one that runs this, and the newest that lies beside it, if that is another.
     *
     * @return one or two, the newest last
     * @throws IOException if the folder of the running one cannot be read
     */
    public static List<InstalledJdk> runningAndNewest() throws IOException {
        Path running = Path.of(System.getProperty("java.home")).toRealPath();
        Set<InstalledJdk> jdks = new LinkedHashSet<>();
        jdks.add(new InstalledJdk(Runtime.version(), running));
        try (Stream<Path> beside = Files.list(running.getParent())) {
            beside.filter(home -> Files.isReadable(home.resolve("release")) && Files.isExecutable(java(home)))
                    .map(home -> new InstalledJdk(version(home.resolve("release")), home))
                    .max(Comparator.comparing(InstalledJdk::version))
                    .filter(newest ->
                            newest.version().feature() > Runtime.version().feature())
                    .ifPresent(jdks::add);
        }
        return List.copyOf(jdks);
    }

    /**
     * The program that runs classes.
     *
     * @return its path
     */
    public String java() {
        return java(home).toString();
    }

    private static Path java(Path home) {
        return home.resolve("bin").resolve("java");
    }

    private static Runtime.Version version(Path release) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(release)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String feature =
                properties.getProperty("JAVA_VERSION").replace("\"", "").split("[._]", -1)[0];
        return Runtime.Version.parse(feature);
    }
}
