package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.embedded.EmbeddedCassandraException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkFinderTests {

    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void resolveLinks() throws IOException {
        folder = temporary.toRealPath();
    }

    @Test
    void prefersTheOneAtHandOverAnInstalledOne() throws IOException {
        Path atHand = jdk("a/eleven", "11.0.2");
        jdk("b/seventeen", "17.0.15");
        Jdk found = new JdkFinder(Map.of("JAVA_HOME", atHand), List.of(folder.resolve("b"))).find("5.0.9", null);
        assertThat(found.home()).isEqualTo(atHand);
        assertThat(found.feature()).isEqualTo(11);
    }

    @Test
    void passesOverJdksThatThisCassandraCannotRunOn() throws IOException {
        Path atHand = jdk("a/new", "25.0.3");
        jdk("b/eleven", "11.0.2");
        Path seventeen = jdk("b/seventeen", "17.0.15");
        jdk("b/twenty-one", "21");
        Jdk found = new JdkFinder(Map.of("this JVM", atHand), List.of(folder.resolve("b"))).find("5.0.9", null);
        assertThat(found.home()).isEqualTo(seventeen);
    }

    @Test
    void takesTheJdkOfThisJvmWhereNoneIsSupported() throws IOException {
        Path other = jdk("a/twenty-one", "21.0.9");
        Path running = jdk("b/twenty-five", "25.0.3");
        jdk("c/old", "1.8.0_402");
        jdk("c/twenty-four", "24");
        Map<String, Path> atHand = Map.of("JAVA_HOME", other, "this JVM", running);
        JdkFinder finder = new JdkFinder(atHand, List.of(folder.resolve("c")));
        assertThat(finder.find("5.0.9", null).home()).isEqualTo(running);
        assertThat(finder.find("6.0-alpha2", null).home()).as("6.0 supports 21").isEqualTo(other);
    }

    @Test
    void looksIntoMacOsBundles() throws IOException {
        Path home = jdk("machines/zulu-17.jdk/Contents/Home", "17.0.1");
        Jdk found = new JdkFinder(Map.of(), List.of(folder.resolve("machines"))).find("5.0.9", null);
        assertThat(found.home()).isEqualTo(home);
    }

    @Test
    void saysWhichVersionsDoAndWhatWasTried() throws IOException {
        Path atHand = jdk("a/new", "25.0.3");
        Path old = jdk("b/old", "1.8.0_402");
        JdkFinder finder = new JdkFinder(Map.of("this JVM", atHand), List.of(folder.resolve("b")));
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(() -> finder.find("4.1.10", null))
                .satisfies(e -> assertThat(e.getReason()).isEqualTo(Reason.NO_USABLE_JDK))
                .withMessageContaining("Cassandra 4.1.10 runs on JDK 11 or 17,")
                .withMessageContaining("this JVM = " + atHand + " (25.0.3)")
                .withMessageContaining(old + " (1.8.0_402)")
                .withMessageContaining("surewrite.embedded.java-home");
    }

    @Test
    void takesNoOtherJdkThanTheChosenOne() throws IOException {
        Path good = jdk("a/good", "17.0.1");
        Path chosen = jdk("b/chosen", "1.8.0_402");
        JdkFinder finder = new JdkFinder(Map.of("JAVA_HOME", good), List.of());
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(() -> finder.find("5.0.9", chosen))
                .withMessageContaining("surewrite.embedded.java-home = " + chosen + " (1.8.0_402)");
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(() -> finder.find("5.0.9", folder))
                .withMessageContaining("surewrite.embedded.java-home = " + folder + " (no JDK there)");
        assertThat(finder.find("5.0.9", good).home()).isEqualTo(good);
        Path newer = jdk("b/newer", "25.0.3");
        assertThat(finder.find("5.0.9", newer).home()).isEqualTo(newer);
    }

    private Path jdk(String path, String version) throws IOException {
        Path home = folder.resolve(path);
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("bin/java"), "");
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Test\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }
}
