package io.surewrite.internal.cql;

import io.surewrite.internal.cql.IdempotenceCheck.IdempotenceVerdict;
import io.surewrite.internal.cql.RetryOracle.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Counts verdicts against what the server did, and writes the false rejects to a file. */
final class Tally {

    private record Line(String cql, IdempotenceVerdict verdict, Outcome outcome) {}

    private final List<Line> lines = new ArrayList<>();
    private int unjudged;

    void add(String cql, IdempotenceVerdict verdict, Outcome outcome) {
        lines.add(new Line(cql, verdict, outcome));
    }

    /** Counts a refused statement that was not run. */
    void addUnjudged(IdempotenceVerdict verdict) {
        if (verdict.refusals().isEmpty()) {
            throw new IllegalArgumentException("What is accepted must be run");
        }
        unjudged++;
    }

    long count(boolean accepted, Outcome outcome) {
        return lines.stream()
                .filter(line -> line.verdict().refusals().isEmpty() == accepted && line.outcome() == outcome)
                .count();
    }

    /** What was accepted, although the server held something else after the second run. */
    List<String> falseAccepts() {
        return lines.stream()
                .filter(line -> line.verdict().refusals().isEmpty() && line.outcome() == Outcome.CHANGED)
                .map(Line::cql)
                .toList();
    }

    void report(String name) throws IOException {
        List<String> exceptions = lines.stream()
                .filter(line -> line.outcome() == Outcome.NOT_EXECUTABLE
                        || line.verdict().refusals().isEmpty() != (line.outcome() == Outcome.UNCHANGED))
                .map(Tally::format)
                .sorted()
                .toList();
        Path file = Path.of("target", "idempotence-" + name + ".txt");
        Files.write(file, exceptions);
        System.out.printf(
                "Idempotence, %s: %d statements; accepted: %d harmless, %d harmful, %d not executable;"
                        + " refused: %d harmful, %d harmless (%s), %d not executable, %d not run%n",
                name,
                lines.size() + unjudged,
                count(true, Outcome.UNCHANGED),
                count(true, Outcome.CHANGED),
                count(true, Outcome.NOT_EXECUTABLE),
                count(false, Outcome.CHANGED),
                count(false, Outcome.UNCHANGED),
                file,
                count(false, Outcome.NOT_EXECUTABLE),
                unjudged);
    }

    private static String format(Line line) {
        String verdict = line.verdict().refusals().isEmpty()
                ? "accepted"
                : "refused " + line.verdict().refusals().get(0).reason();
        return line.outcome() + " | " + verdict + " | " + line.cql().replace('\n', ' ');
    }
}
