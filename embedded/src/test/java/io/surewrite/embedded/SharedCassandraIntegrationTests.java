package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SharedCassandraIntegrationTests {

    @Test
    void isOneServerForEveryClassLoaderOfThisJvm() throws Exception {
        SharedCassandra here = SharedCassandra.get();
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

    @Test
    void stopsAnsweringWhileItIsPaused() throws Exception {
        SharedCassandra server = SharedCassandra.get();
        assertThat(server.canPause()).isTrue();
        server.pause();
        CompletableFuture<Void> made = CompletableFuture.runAsync(() -> server.createKeyspace("made_after_a_pause"));
        try {
            Thread.sleep(700);
            assertThat(made).isNotDone();
        } finally {
            server.resume();
        }
        assertThat(made).succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    void makesKeyspacesThatNobodyElseHas() {
        SharedCassandra server = SharedCassandra.get();
        String first = server.createFreshKeyspace("My Test");
        String second = server.createFreshKeyspace("My Test");
        assertThat(first).startsWith("my_test_").isNotEqualTo(second);
        server.dropKeyspace(first);
        server.dropKeyspace(first);
        server.createKeyspace(second);
    }
}
