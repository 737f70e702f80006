package io.surewrite.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import io.surewrite.docs.Page.Block;
import io.surewrite.write.InvalidConfigurationException;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
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

    /** What start.spring.io makes. */
    private static final String APPLICATION = """

            ```java
            import org.springframework.boot.autoconfigure.SpringBootApplication;

            @SpringBootApplication
            public class Application {}
            ```
            """;

    private final Page page = Page.named("docs/getting-started.md");

    @Test
    void itsTestPasses(@TempDir Path classes) throws Exception {
        make(new Page(page.name(), page.text() + APPLICATION), classes);

        runItsTest(classes);
    }

    @Test
    void itsFailureExplainsItself(@TempDir Path classes) throws Exception {
        List<Block> blocks = page.blocks("java");
        String before = block(blocks, "import io.surewrite.retry.Idempotent;");
        String after = "import org.springframework.data.cassandra.repository.Query;\n"
                + before.substring(0, before.indexOf("@Idempotent\n"))
                + block(blocks, "@Idempotent\n");
        // A block begins with its imports.
        make(new Page(page.name(), page.text().replace(before, "import" + after.substring(6)) + APPLICATION), classes);

        assertThatException()
                .isThrownBy(() -> runItsTest(classes))
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

        assertThat(JavaBlocks.problemsOf(List.of(new Page(first.name(), first.text() + APPLICATION)), classes))
                .isEmpty();
        Files.writeString(
                classes.resolve("schema.cql"), first.blocks("sql").get(0).text());
        Files.writeString(
                classes.resolve("application.properties"),
                first.blocks("properties").get(0).text());

        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            Class<?> application = loader.loadClass(JavaBlocks.packageOf(first) + ".Application");
            new SpringApplicationBuilder(application)
                    .web(WebApplicationType.NONE)
                    .run();
            assertThat(output).contains("Refused: Another row has the value of: person.login");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static String block(List<Block> blocks, String beginning) {
        return blocks.stream()
                .map(Block::text)
                .filter(text -> text.startsWith(beginning))
                .findFirst()
                .orElseThrow();
    }

    private static void make(Page page, Path classes) throws IOException {
        assertThat(JavaBlocks.problemsOf(List.of(page), classes)).isEmpty();
        Files.writeString(
                classes.resolve("schema.cql"), page.blocks("sql").get(0).text());
        Files.writeString(
                classes.resolve("application.yml"),
                page.blocks("yaml").get(0).text() + "\nspring.test.print-condition-evaluation-report: false\n");
    }

    private void runItsTest(Path classes) throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            Class<?> tests = loader.loadClass(JavaBlocks.packageOf(page) + ".MembersTests");
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
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
