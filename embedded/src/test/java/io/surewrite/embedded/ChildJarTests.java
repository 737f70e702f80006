package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChildJarTests {

    private static final String SECURITY_MANAGER = "org.apache.cassandra.security.ThreadAwareSecurityManager";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {11, 17, 21, 23})
    void leavesCassandraItsSecurityManagerWhereTheJdkHasOne(int feature) throws IOException {
        try (JarFile jar = new JarFile(jar(feature).toFile())) {
            assertThat(jar.stream())
                    .isNotEmpty()
                    .allMatch(it -> it.getName().startsWith("io/surewrite/embedded/child/"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 25, 26})
    void takesItsPlaceWhereTheJdkHasNone(int feature) throws Exception {
        URL[] jar = {jar(feature).toUri().toURL()};
        try (URLClassLoader server = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader())) {
            Class<?> standIn = server.loadClass(SECURITY_MANAGER);
            assertThat(standIn.getSuperclass()).isEqualTo(Object.class);
            standIn.getMethod("install").invoke(null);
            assertThat(standIn.getMethod("isSecuredThread").invoke(null)).isEqualTo(false);
        }
    }

    @Test
    void measuresForCassandra4WhereItsOwnMeterFails() throws IOException {
        assertThat(hasMeter("4.1.10", 17)).isTrue();
        assertThat(hasMeter("4.1.10", 11)).isFalse();
        assertThat(hasMeter("5.0.9", 17)).isFalse();
    }

    private boolean hasMeter(String cassandra, int feature) throws IOException {
        try (JarFile jar = new JarFile(jar(cassandra, feature).toFile())) {
            return jar.getEntry("org/github/jamm/MemoryMeter.class") != null;
        }
    }

    @Test
    void hasTheSameNameForTheSameContentOnly() throws IOException {
        assertThat(jar(25)).isEqualTo(jar(24)).isNotEqualTo(jar(17));
    }

    private Path jar(int feature) throws IOException {
        return jar(Options.DEFAULT_VERSION, feature);
    }

    private Path jar(String cassandra, int feature) throws IOException {
        return ChildJar.in(folder, folder, cassandra, new Jdk(folder, String.valueOf(feature), feature));
    }
}
