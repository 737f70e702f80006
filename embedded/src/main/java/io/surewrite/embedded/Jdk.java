package io.surewrite.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * An installed JDK, known by its {@code release} file: running each candidate just to ask its version would take too long.
 *
 * @param home its directory, without symbolic links
 * @param version its full version, such as {@code 17.0.15}
 * @param feature its feature number, such as 17
 */
record Jdk(Path home, String version, int feature) {

    /** Reads the JDK in a directory, if there is one. */
    static Optional<Jdk> at(Path home) {
        Path release = home.resolve("release");
        if (!Files.isRegularFile(release) || !Files.isRegularFile(java(home))) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(release)) {
            properties.load(in);
            String version = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
            return Optional.of(new Jdk(home.toRealPath(), version, feature(version)));
        } catch (IOException | RuntimeException e) {
            return Optional.empty(); // Not a JDK after all.
        }
    }

    Path java() {
        return java(home);
    }

    private static Path java(Path home) {
        Path java = home.resolve("bin/java");
        return Files.exists(java) ? java : home.resolve("bin/java.exe");
    }

    private static int feature(String version) {
        String modern = version.startsWith("1.") ? version.substring(2) : version;
        return Integer.parseInt(modern.split("[^0-9]", 2)[0]);
    }

    @Override
    public String toString() {
        return home + " (" + version + ")";
    }
}
