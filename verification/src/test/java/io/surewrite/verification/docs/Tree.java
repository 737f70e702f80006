package io.surewrite.verification.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pages and sources that the tests of this package compare. */
final class Tree {

    static final Path ROOT = Path.of("..");

    /** All Java and Kotlin, but what stands in these tests, which proves nothing. */
    static final Map<Path, String> SOURCES = modules()
            .map(module -> module.resolve("src"))
            .filter(Files::isDirectory)
            .flatMap(Tree::files)
            .filter(file -> file.toString().matches(".*\\.(java|kt)"))
            .filter(file -> !file.getParent().endsWith("verification/docs"))
            .collect(Collectors.toMap(file -> file, Tree::read));

    private Tree() {}

    /** {@return the name of the type that a file declares} */
    static String type(Path source) {
        return source.getFileName().toString().replaceFirst("\\..*", "");
    }

    static Stream<Path> poms() {
        return Stream.concat(Stream.of(ROOT), modules())
                .map(module -> module.resolve("pom.xml"))
                .filter(Files::exists);
    }

    static List<Path> pages() {
        return Stream.concat(list(ROOT), files(ROOT.resolve("docs")))
                .filter(file -> file.toString().endsWith(".md"))
                .toList();
    }

    /** {@return those that tell what is, and not what was} */
    static List<Path> pagesOfToday() {
        return pages().stream()
                .filter(page -> !page.endsWith("CHANGELOG.md")
                        && !page.getParent().endsWith("adr")
                        && !page.getParent().endsWith("upstream"))
                .toList();
    }

    private static Stream<Path> modules() {
        return list(ROOT).filter(Files::isDirectory);
    }

    private static Stream<Path> list(Path folder) {
        try (Stream<Path> here = Files.list(folder)) {
            return here.toList().stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> below = Files.walk(folder)) {
            return below.filter(Files::isRegularFile).toList().stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
