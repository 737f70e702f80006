package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What the build made of this module. */
class JarIntegrationTests {

    private static final int JAVA_11 = 55;

    /** As a development tool in Spring Boot's sense it would be missing from {@code spring-boot:run} too. */
    @Test
    void staysOnTheClassPathThatSpringBootRunsAnApplicationWith() throws IOException {
        try (JarFile jar = jar()) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertThat(manifest.getValue("Spring-Boot-Jar-Type")).isNull();
            assertThat(manifest.getValue("Main-Class")).isEqualTo(Main.class.getName());
        }
    }

    @Test
    void runsItsChildOnJava11() throws IOException {
        try (JarFile jar = jar()) {
            ZipEntry child = jar.getEntry(ChildJar.MAIN_CLASS.replace('.', '/') + ".class");
            try (DataInputStream in = new DataInputStream(jar.getInputStream(child))) {
                in.readInt();
                in.readUnsignedShort();
                assertThat(in.readUnsignedShort()).isEqualTo(JAVA_11);
            }
        }
    }

    private static JarFile jar() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            Path jar = files.filter(file -> file.getFileName()
                            .toString()
                            .matches("surewrite-embedded-cassandra-[^-]+(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElse(Path.of("absent"));
            assumeThat(jar)
                    .as("the jar is there when Maven runs this after packaging")
                    .exists();
            return new JarFile(jar.toFile());
        }
    }
}
