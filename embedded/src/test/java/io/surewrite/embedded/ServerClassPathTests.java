package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.embedded.EmbeddedCassandraException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resolves a tiny stand-in for Cassandra from a mirror that only the user's settings name. */
class ServerClassPathTests {

    private static final String VERSION = "0.0.1-stand-in";
    private static final List<String> TOUCHED = List.of("maven.repo.local", MavenResolver.OFFLINE_PROPERTY);

    @TempDir
    private Path folder;

    private final Map<String, String> before = new HashMap<>();
    private Path mirror;
    private Path cache;

    @BeforeEach
    void useAnotherMavenHome() throws Exception {
        TOUCHED.forEach(name -> before.put(name, System.getProperty(name)));
        System.clearProperty("maven.repo.local");
        cache = Files.createDirectory(folder.resolve("cache"));
        mirror = folder.resolve("mirror");
        publish(
                "cassandra-all",
                VERSION,
                "<dependencies>%s%s</dependencies>"
                        .formatted(dependency("needed", "compile"), dependency("only-for-tests", "test")));
        publish("needed", "1", "");
        publish("only-for-tests", "1", "");
        Files.writeString(
                folder.resolve("settings.xml"),
                "<settings><mirrors><mirror><id>ours</id><mirrorOf>*</mirrorOf><url>%s</url></mirror></mirrors></settings>"
                        .formatted(mirror.toUri()));
    }

    @AfterEach
    void putBack() {
        before.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
    }

    @Test
    void resolvesTheRuntimeScopeThroughTheUsersMirror() {
        assertThat(classPath().of(VERSION))
                .extracting(jar -> jar.getFileName().toString())
                .containsExactlyInAnyOrder("cassandra-all-" + VERSION + ".jar", "needed-1.jar");
    }

    @Test
    void remembersWhatItResolvedUntilAJarIsGone() throws IOException {
        List<Path> first = classPath().of(VERSION);
        System.setProperty(MavenResolver.OFFLINE_PROPERTY, "true");
        assertThat(classPath().of(VERSION)).isEqualTo(first);
        Files.delete(first.get(0));
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(() -> classPath().of(VERSION));
    }

    @Test
    void saysThatAVersionDoesNotExistAndWhereItLooked() {
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(() -> classPath().of("5.99.99"))
                .satisfies(e -> assertThat(e.getReason()).isEqualTo(Reason.VERSION_UNAVAILABLE))
                .withMessageContaining("cassandra-all:5.99.99")
                .withMessageContaining(mirror.toUri().toString())
                .withMessageContaining("surewrite.embedded.version");
    }

    private ServerClassPath classPath() {
        return new ServerClassPath(cache, new MavenResolver(folder));
    }

    private static String dependency(String artifact, String scope) {
        return "<dependency><groupId>org.apache.cassandra</groupId><artifactId>%s</artifactId><version>1</version><scope>%s</scope></dependency>"
                .formatted(artifact, scope);
    }

    private void publish(String artifact, String version, String dependencies) throws Exception {
        Path directory = Files.createDirectories(
                mirror.resolve("org/apache/cassandra").resolve(artifact).resolve(version));
        String pom = """
                <project><modelVersion>4.0.0</modelVersion><groupId>org.apache.cassandra</groupId>
                <artifactId>%s</artifactId><version>%s</version>%s</project>
                """.formatted(artifact, version, dependencies);
        write(directory.resolve(artifact + "-" + version + ".pom"), pom.getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream jar = new ByteArrayOutputStream();
        new JarOutputStream(jar, new Manifest()).close();
        write(directory.resolve(artifact + "-" + version + ".jar"), jar.toByteArray());
    }

    private static void write(Path file, byte[] content) throws Exception {
        byte[] sum = MessageDigest.getInstance("SHA-1").digest(content);
        Files.write(file, content);
        Files.writeString(Path.of(file + ".sha1"), HexFormat.of().formatHex(sum));
    }
}
