package io.surewrite.internal.cql;

import io.surewrite.internal.cql.IdempotenceCheck.IdempotenceVerdict;
import io.surewrite.internal.cql.RetryOracle.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Counts verdicts against what the server did. */
final class Tally {

    private record Line(String cql, boolean accepted, Outcome outcome) {}

    private final List<Line> lines = new ArrayList<>();

    void add(String cql, IdempotenceVerdict verdict, Outcome outcome) {
        lines.add(new Line(cql, verdict.refusals().isEmpty(), outcome));
    }

    long count(boolean accepted, Outcome outcome) {
        return lines.stream()
                .filter(line -> line.accepted() == accepted && line.outcome() == outcome)
                .count();
    }

    /** What was accepted, although the server held something else after the second run. */
    List<String> falseAccepts() {
        return lines.stream()
                .filter(line -> line.accepted() && line.outcome() == Outcome.CHANGED)
                .map(Line::cql)
                .toList();
    }
}
