package io.surewrite.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.surewrite.testsupport.LongLane;
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

    static Stream<String> programs() {
        return Page.all().stream()
                .filter(page -> page.name().startsWith("docs/guides/"))
                .filter(page -> page.text().contains("implements ApplicationRunner"))
                .map(Page::name);
    }

    @ParameterizedTest
    @MethodSource("programs")
    @ExtendWith(OutputCaptureExtension.class)
    void printsWhatThePageSays(String name, @TempDir Path folder, CapturedOutput output) throws Exception {
        Page page = Page.named(name);
        List<String> said = page.blocks("text").get(0).lines();

        try (Project project = new Project(page, folder)) {
            new SpringApplicationBuilder(project.type("Application"))
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

        try (Project project = new Project(page, folder)) {
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(
                                            selectClass(project.type("NotesInAnOutageTests")),
                                            selectClass(project.type("ImportTests")))
                                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                                    .build(),
                            summary);
        }

        assertThat(summary.getSummary().getFailures()).isEmpty();
        assertThat(summary.getSummary().getTestsSucceededCount()).isEqualTo(3);
    }
}
