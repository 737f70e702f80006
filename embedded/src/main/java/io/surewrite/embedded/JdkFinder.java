package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.NO_USABLE_JDK;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds a JDK that a Cassandra version supports: the one that was asked for, the ones at hand, then the installed ones. Where
 * there is none, the JDK of this JVM does, if the version runs on it.
 */
final class JdkFinder {

    static final String PROPERTY = "surewrite.embedded.java-home";

    private static final String THIS_JVM = "this JVM";

    /** The folder itself, macOS bundles, Homebrew's kegs and Scoop's links. */
    private static final List<String> HOMES_IN_A_FOLDER =
            List.of("", "Contents/Home", "libexec/openjdk.jdk/Contents/Home", "current");

    private final Map<String, Path> atHand;
    private final List<Path> folders;

    /**
     * @param atHand JDK homes to try first, by what they are called in a message, {@code this JVM} among them
     * @param folders folders whose sub-folders may be JDKs
     */
    JdkFinder(Map<String, Path> atHand, List<Path> folders) {
        this.atHand = new LinkedHashMap<>(atHand);
        this.folders = List.copyOf(folders);
    }

    static JdkFinder ofThisMachine() {
        Map<String, Path> atHand = new LinkedHashMap<>();
        String javaHome = System.getenv("JAVA_HOME");
        if (javaHome != null && !javaHome.isBlank()) {
            atHand.put("JAVA_HOME", Path.of(javaHome));
        }
        atHand.put(THIS_JVM, Path.of(System.getProperty("java.home")));
        return new JdkFinder(atHand, JdkFolders.ofThisMachine());
    }

    /**
     * Finds a JDK that this version supports, or else takes the one that runs this JVM.
     *
     * @param cassandra its version
     * @param chosen the only one to look at
     */
    Jdk find(String cassandra, @Nullable Path chosen) {
        SupportedJdks jdks = SupportedJdks.of(cassandra);
        if (chosen != null) {
            return Jdk.at(chosen)
                    .filter(jdks::run)
                    .orElseThrow(() -> none(cassandra, jdks, List.of(PROPERTY + " = " + describe(chosen))));
        }
        List<String> tried = new ArrayList<>();
        for (Map.Entry<String, Path> candidate : atHand.entrySet()) {
            Optional<Jdk> jdk = Jdk.at(candidate.getValue()).filter(jdks::support);
            if (jdk.isPresent()) {
                return jdk.get();
            }
            tried.add(candidate.getKey() + " = " + describe(candidate.getValue()));
        }
        List<Jdk> installed =
                folders.stream().flatMap(JdkFinder::jdksIn).distinct().toList();
        installed.forEach(jdk -> tried.add(jdk.toString()));
        return installed.stream()
                .filter(jdks::support)
                .max((left, right) -> Integer.compare(left.feature(), right.feature()))
                .or(() -> Optional.ofNullable(atHand.get(THIS_JVM))
                        .flatMap(Jdk::at)
                        .filter(jdks::run))
                .orElseThrow(() -> none(cassandra, jdks, tried));
    }

    private static String describe(Path home) {
        return Jdk.at(home).map(Jdk::toString).orElse(home + " (no JDK there)");
    }

    private static Stream<Jdk> jdksIn(Path folder) {
        try (Stream<Path> children = Files.isDirectory(folder) ? Files.list(folder) : Stream.empty()) {
            return children.sorted().toList().stream()
                    .flatMap(child -> HOMES_IN_A_FOLDER.stream().map(child::resolve))
                    .flatMap(home -> Jdk.at(home).stream());
        } catch (IOException e) {
            return Stream.empty(); // A folder that cannot be read has no JDK for us.
        }
    }

    private EmbeddedCassandraException none(String cassandra, SupportedJdks jdks, List<String> tried) {
        String message = "Cassandra %s runs on JDK %s, and none was found. Tried:%n  %s"
                .formatted(cassandra, jdks.all(), String.join(System.lineSeparator() + "  ", tried));
        String action =
                "Install a JDK %s in a usual place, or set %s to the home of one; the application itself may run on any JDK."
                        .formatted(jdks, PROPERTY);
        return new EmbeddedCassandraException(NO_USABLE_JDK, message, action);
    }
}
