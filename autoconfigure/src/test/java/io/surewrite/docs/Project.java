package io.surewrite.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.docs.Page.Block;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The project that a page has its reader make; the thread sees it until it is closed. */
final class Project extends URLClassLoader {

    /** What start.spring.io makes. */
    private static final String APPLICATION = """

            ```java
            import org.springframework.boot.autoconfigure.SpringBootApplication;

            @SpringBootApplication
            public class Application {}
            ```
            """;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final String home;

    Project(Page page, Path folder) throws IOException {
        super(new URL[] {folder.toUri().toURL()}, Thread.currentThread().getContextClassLoader());
        home = JavaBlocks.packageOf(page);
        assertThat(JavaBlocks.problemsOf(List.of(new Page(page.name(), page.text() + APPLICATION)), folder))
                .isEmpty();
        write(page.blocks("sql"), folder.resolve("schema.cql"), "");
        write(page.blocks("properties"), folder.resolve("application.properties"), "");
        write(
                page.blocks("yaml"),
                folder.resolve("application.yml"),
                "\nspring.test.print-condition-evaluation-report: false\n");
        Thread.currentThread().setContextClassLoader(this);
    }

    private static void write(List<Block> blocks, Path file, String end) throws IOException {
        if (!blocks.isEmpty()) {
            Files.writeString(file, blocks.get(0).text() + end);
        }
    }

    Class<?> type(String name) throws ClassNotFoundException {
        return loadClass(home + "." + name);
    }

    @Override
    public void close() throws IOException {
        Thread.currentThread().setContextClassLoader(before);
        super.close();
    }
}
