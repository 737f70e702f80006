package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedCassandraIntegrationTests {

    @Test
    void isOneServerForEveryClassLoaderOfThisJvm() throws Exception {
        SharedCassandra here = SharedCassandra.get();
        assertThat(here.canPause()).isTrue();
        List<Long> running = Servers.running();
        URL[] classPath = {
            SharedCassandra.class.getProtectionDomain().getCodeSource().getLocation()
        };
        try (URLClassLoader restarted = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
            Class<?> there = restarted.loadClass(SharedCassandra.class.getName());
            assertThat(there).isNotSameAs(SharedCassandra.class);
            Object server = there.getMethod("get").invoke(null);
            assertThat(there.getMethod("contactPoint").invoke(server)).isEqualTo(here.contactPoint());
            assertThat(there.getMethod("canPause").invoke(server)).isEqualTo(false);
        }
        assertThat(Servers.running()).isEqualTo(running);
    }
}
