package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PagesTests {

    /** A reader of a log has no folder with our pages. */
    private static final Pattern OUR_FOLDER = Pattern.compile("\"[^\"]*(?<!blob/(?:%s|main)/)docs/[a-z%][^\"]*\"");

    @ParameterizedTest
    @ValueSource(strings = {"core", "autoconfigure", "embedded"})
    void noMessageLeadsToAFileThatItsReaderDoesNotHave(String module) throws IOException {
        try (Stream<Path> sources = Files.walk(Path.of("..", module, "src", "main", "java"))) {
            assertThat(sources.filter(file -> file.toString().endsWith(".java")).filter(PagesTests::namesAFile))
                    .isEmpty();
        }
    }

    @Test
    void suchAMessageIsNoticed() {
        assertThat(List.of("\"see docs/retry.md\"", "\"docs/%s.md\""))
                .allMatch(text -> OUR_FOLDER.matcher(text).find());
    }

    @Test
    void namesThePageAndTheVersionThatPrintsIt() {
        assertThat(Pages.page("retry")).matches("https://\\S+/docs/retry\\.md \\(Surewrite .+\\)");
    }

    private static boolean namesAFile(Path source) {
        try {
            return OUR_FOLDER.matcher(Files.readString(source)).find();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
