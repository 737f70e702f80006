package io.surewrite.internal.cql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The statements of corpus.cql, each with the reasons of its expected refusal. */
final class Corpus {

    record Entry(int line, List<RefusalReason> expected, String cql) {

        @Override
        public String toString() {
            return "line " + line + ": " + cql.replace('\n', ' ');
        }
    }

    private Corpus() {}

    static List<Entry> entries() {
        List<String> lines = read("corpus.cql").lines().toList();
        List<Entry> entries = new ArrayList<>();
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at);
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            StringBuilder cql = new StringBuilder(line.substring(line.indexOf('|') + 2));
            int first = at + 1;
            while (at + 1 < lines.size() && lines.get(at + 1).startsWith(" ")) {
                cql.append('\n').append(lines.get(++at));
            }
            entries.add(new Entry(first, expected(line.substring(0, line.indexOf('|'))), cql.toString()));
        }
        return entries;
    }

    private static List<RefusalReason> expected(String verdict) {
        return verdict.strip().equals("accept")
                ? List.of()
                : Arrays.stream(verdict.strip().split(" ", -1))
                        .map(RefusalReason::valueOf)
                        .toList();
    }

    /** A resource next to this class. */
    static String read(String resource) {
        try (InputStream stream = Corpus.class.getResourceAsStream(resource)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
