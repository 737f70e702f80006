package io.surewrite.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    /** Describes a JVM that takes its arguments from a file. */
    ProcessBuilder process(Path argumentFile) {
        List<String> command = new ArrayList<>(List.of(java().toString(), "@" + argumentFile));
        ProcessBuilder builder = new ProcessBuilder(command);
        // Options meant for the application's JVM, such as an agent, are not for this one.
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        return builder;
    }

    /** JDK 24 took the security manager out; Cassandra guards user-defined functions with it, and does not start without. */
    boolean hasSecurityManager() {
        return feature < 24;
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
