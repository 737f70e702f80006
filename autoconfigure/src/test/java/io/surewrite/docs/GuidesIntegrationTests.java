package io.surewrite.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.surewrite.docs.Page.Block;
import io.surewrite.testsupport.LongLane;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The program of each guide, made of the page's own blocks, prints what the page says. */
@Isolated("stops the server")
@LongLane // Most of them start processes.
class GuidesIntegrationTests {

    private static final String APPLICATION = """

            ```java
            import org.springframework.boot.autoconfigure.SpringBootApplication;

            @SpringBootApplication
            public class Application {}
            ```
            """;

    static Stream<String> programs() {
        return guides().filter(page -> page.text().contains("implements ApplicationRunner"))
                .map(Page::name);
    }

    @ParameterizedTest
    @MethodSource("programs")
    @ExtendWith(OutputCaptureExtension.class)
    void printsWhatThePageSays(String name, @TempDir Path folder, CapturedOutput output) throws Exception {
        Page page = Page.named(name);
        List<String> said = page.blocks("text").get(0).lines();

        try (URLClassLoader loader = made(page, folder)) {
            Class<?> application = loader.loadClass(JavaBlocks.packageOf(page) + ".Application");
            new SpringApplicationBuilder(application)
                    .web(WebApplicationType.NONE)
                    .run("--surewrite.backlog.directory=" + folder.resolve("backlog"))
                    .close();
        }

        assertThat(output.getAll()).containsSubsequence(said);
        said.stream()
                .distinct()
                .forEach(line -> assertThat(output.getAll().lines().filter(each -> each.contains(line)))
                        .as(line)
                        .hasSize((int) said.stream().filter(line::equals).count()));
    }

    @Test
    void itsTestsPass(@TempDir Path folder) throws Exception {
        Page page = Page.named("docs/guides/test-failures.md");
        SummaryGeneratingListener summary = new SummaryGeneratingListener();

        try (URLClassLoader loader = made(page, folder)) {
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(
                                            selectClass(loader.loadClass(
                                                    JavaBlocks.packageOf(page) + ".NotesInAnOutageTests")),
                                            selectClass(loader.loadClass(JavaBlocks.packageOf(page) + ".ImportTests")))
                                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                                    .build(),
                            summary);
        }

        assertThat(summary.getSummary().getFailures()).isEmpty();
        assertThat(summary.getSummary().getTestsSucceededCount()).isEqualTo(3);
    }

    private static Stream<Page> guides() {
        return Page.all().stream().filter(page -> page.name().startsWith("docs/guides/"));
    }

    /** Compiles the page's files beside an application class; the thread sees them from now on. */
    private static URLClassLoader made(Page page, Path folder) throws IOException {
        assertThat(JavaBlocks.problemsOf(List.of(new Page(page.name(), page.text() + APPLICATION)), folder))
                .isEmpty();
        write(page.blocks("sql"), folder.resolve("schema.cql"));
        write(page.blocks("properties"), folder.resolve("application.properties"));
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before) {
            @Override
            public void close() throws IOException {
                Thread.currentThread().setContextClassLoader(before);
                super.close();
            }
        };
        Thread.currentThread().setContextClassLoader(loader);
        return loader;
    }

    private static void write(List<Block> blocks, Path file) throws IOException {
        if (!blocks.isEmpty()) {
            Files.writeString(file, blocks.get(0).text());
        }
    }
}
