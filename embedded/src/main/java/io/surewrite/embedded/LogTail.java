package io.surewrite.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The last lines that a server wrote. */
final class LogTail {

    private static final int LINES = 30;

    private LogTail() {}

    static String of(Path nodeDirectory) {
        List<String> tail = new ArrayList<>();
        for (Path file : List.of(NodeFiles.log(nodeDirectory), NodeFiles.output(nodeDirectory))) {
            List<String> lines = lines(file);
            if (!lines.isEmpty()) {
                tail.add("--- end of " + file.getFileName() + " ---");
                tail.addAll(lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
            }
        }
        return String.join(System.lineSeparator(), tail);
    }

    private static List<String> lines(Path file) {
        try {
            // Not readAllLines: a server that was killed may leave half a character.
            return Files.exists(file)
                    ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                            .lines()
                            .toList()
                    : List.of();
        } catch (IOException e) {
            return List.of("(cannot read it: " + e + ")");
        }
    }
}
