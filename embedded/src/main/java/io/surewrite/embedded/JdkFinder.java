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
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds a JDK that a Cassandra version runs on: the one that was asked for, the ones at hand, then the installed ones. */
final class JdkFinder {

    static final String PROPERTY = "surewrite.embedded.java-home";

    /** The folder itself, macOS bundles, Homebrew's kegs and Scoop's links. */
    private static final List<String> HOMES_IN_A_FOLDER =
            List.of("", "Contents/Home", "libexec/openjdk.jdk/Contents/Home", "current");

    private final Map<String, Path> atHand;
    private final List<Path> folders;

    /**
     * @param atHand JDK homes to try first, by what they are called in a message
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
        atHand.put("this JVM", Path.of(System.getProperty("java.home")));
        return new JdkFinder(atHand, JdkFolders.ofThisMachine());
    }

    Jdk find(String cassandra, @Nullable Path chosen) {
        SortedSet<Integer> usable = SupportedJdks.of(cassandra);
        if (chosen != null) {
            return Jdk.at(chosen)
                    .filter(jdk -> usable.contains(jdk.feature()))
                    .orElseThrow(() -> none(cassandra, usable, List.of(PROPERTY + " = " + describe(chosen))));
        }
        List<String> tried = new ArrayList<>();
        for (Map.Entry<String, Path> candidate : atHand.entrySet()) {
            Optional<Jdk> jdk = Jdk.at(candidate.getValue()).filter(it -> usable.contains(it.feature()));
            if (jdk.isPresent()) {
                return jdk.get();
            }
            tried.add(candidate.getKey() + " = " + describe(candidate.getValue()));
        }
        List<Jdk> installed =
                folders.stream().flatMap(JdkFinder::jdksIn).distinct().toList();
        installed.forEach(jdk -> tried.add(jdk.toString()));
        return installed.stream()
                .filter(jdk -> usable.contains(jdk.feature()))
                .max((left, right) -> Integer.compare(left.feature(), right.feature()))
                .orElseThrow(() -> none(cassandra, usable, tried));
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

    private EmbeddedCassandraException none(String cassandra, SortedSet<Integer> usable, List<String> tried) {
        String versions = usable.stream().map(String::valueOf).collect(Collectors.joining(" or "));
        String message = "Cassandra %s runs on JDK %s, and none was found. Tried:%n  %s"
                .formatted(cassandra, versions, String.join(System.lineSeparator() + "  ", tried));
        String action =
                "Install a JDK %s in a usual place, or set %s to the home of one; the application itself may run on any JDK."
                        .formatted(versions, PROPERTY);
        return new EmbeddedCassandraException(NO_USABLE_JDK, message, action);
    }
}
