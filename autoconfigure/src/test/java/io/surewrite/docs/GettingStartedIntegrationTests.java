package io.surewrite.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import io.surewrite.docs.Page.Block;
import io.surewrite.write.InvalidConfigurationException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContextManager;

/** The projects that "Getting started" and the README have their reader make, made of the pages' own blocks. */
class GettingStartedIntegrationTests {

    private final Page page = Page.named("docs/getting-started.md");

    @Test
    void itsTestPasses(@TempDir Path classes) throws Exception {
        runItsTest(page, classes);
    }

    @Test
    void itsFailureExplainsItself(@TempDir Path classes) throws Exception {
        List<Block> blocks = page.blocks("java");
        String before = block(blocks, "import io.surewrite.retry.Idempotent;");
        String after = "import org.springframework.data.cassandra.repository.Query;\n"
                + before.substring(0, before.indexOf("@Idempotent\n"))
                + block(blocks, "@Idempotent\n");
        // A block begins with its imports.
        Page changed = new Page(page.name(), page.text().replace(before, "import" + after.substring(6)));

        assertThatException()
                .isThrownBy(() -> runItsTest(changed, classes))
                .havingRootCause()
                .isInstanceOf(InvalidConfigurationException.class)
                .withMessageContaining("Members.addSomebody")
                .withMessageContaining("uuid")
                .withMessageContaining("make the value in the client");
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void theFirstWriteOfTheReadmeTakesFewLinesAndRefusesTheSecondAnna(@TempDir Path classes, CapturedOutput output)
            throws Exception {
        String readme = Page.named("README.md").text();
        String section = readme.substring(readme.indexOf("## Your first guarded write"));
        // By a name of its own: the other blocks of the page are no part of this application.
        Page first = new Page("docs/first.md", section.substring(0, section.indexOf("\n## ", 1)));
        assertThat(first.allBlocks().stream()
                        .flatMap(block -> block.lines().stream())
                        .filter(line -> !line.isBlank() && !line.startsWith("import ")))
                .hasSizeLessThanOrEqualTo(19);

        try (Project project = new Project(first, classes)) {
            new SpringApplicationBuilder(project.type("Application"))
                    .web(WebApplicationType.NONE)
                    .run();
            assertThat(output).contains("Refused: Another row has the value of: person.login");
        }
    }

    private static String block(List<Block> blocks, String beginning) {
        return blocks.stream()
                .map(Block::text)
                .filter(text -> text.startsWith(beginning))
                .findFirst()
                .orElseThrow();
    }

    private static void runItsTest(Page page, Path classes) throws Exception {
        try (Project project = new Project(page, classes)) {
            Class<?> tests = project.type("MembersTests");
            Constructor<?> constructor = tests.getDeclaredConstructor();
            constructor.setAccessible(true);
            Method test = tests.getDeclaredMethod("oneAnnaOnly");
            test.setAccessible(true);
            TestContextManager manager = new TestContextManager(tests);
            Object instance = constructor.newInstance();
            manager.prepareTestInstance(instance);
            try {
                test.invoke(instance);
            } finally {
                manager.getTestContext().markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
            }
        }
    }
}
