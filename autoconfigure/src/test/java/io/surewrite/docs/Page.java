package io.surewrite.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A page of the documentation, and the blocks of code in it. */
record Page(String name, String text) {

    private static final Path ROOT = Path.of("..");

    /** Code between fences. */
    record Block(Page page, int line, String language, List<String> lines) {

        String text() {
            return String.join("\n", lines);
        }

        String place() {
            return page.name + ":" + line;
        }
    }

    /** {@return what users read: not the decisions, which tell history} */
    static List<Page> all() {
        List<Page> pages = new ArrayList<>();
        for (Path folder :
                List.of(ROOT, ROOT.resolve("docs"), ROOT.resolve("docs/guides"), ROOT.resolve("docs/protocols"))) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.filter(file -> file.toString().endsWith(".md"))
                        .sorted()
                        .toList()) {
                    pages.add(new Page(ROOT.relativize(file).toString(), Files.readString(file)));
                }
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
        return pages;
    }

    static Page named(String name) {
        return all().stream().filter(page -> page.name.equals(name)).findAny().orElseThrow();
    }

    List<Block> blocks(String... languages) {
        return allBlocks().stream()
                .filter(block -> List.of(languages).contains(block.language()))
                .toList();
    }

    List<Block> allBlocks() {
        List<Block> blocks = new ArrayList<>();
        Block open = null;
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            if (!line.strip().startsWith("```")) {
                if (open != null) {
                    open.lines.add(line);
                }
            } else if (open == null) {
                open = new Block(this, number + 1, line.strip().substring(3), new ArrayList<>());
            } else {
                blocks.add(open);
                open = null;
            }
        }
        if (open != null) {
            throw new IllegalStateException("The block at " + open.place() + " does not end");
        }
        return blocks;
    }
}
