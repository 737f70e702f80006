package io.surewrite.verification.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What came out of trials under faults. */
record FaultReport(Map<String, String> figures, List<String> summaries, List<String> violations) {

    static FaultReport of(Duration disturbed, long seed, List<Event> events, List<? extends Trial> trials) {
        long failed = count(events, Event.FAILED, "");
        long operations = failed;
        List<String> summaries = new ArrayList<>();
        List<String> violations = new ArrayList<>();
        for (Trial trial : trials) {
            Trial.Verdict verdict = trial.judge(events);
            summaries.add(verdict.summary());
            operations += verdict.operations();
            violations.addAll(verdict.violations());
            if (verdict.operations() == 0) {
                violations.add("No call had a clear answer: " + verdict.summary());
            }
        }
        long settled = count(events, Event.SETTLED, "");
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("disturbed for", disturbed.toSeconds() + " s");
        figures.put("seed", "" + seed);
        figures.put("operations", "" + operations);
        figures.put("faults injected: nodes paused", "" + count(events, Event.NODE_FAULT, ", paused"));
        figures.put("nodes killed", "" + count(events, Event.NODE_FAULT, ", killed"));
        figures.put("clients stopped", "" + count(events, Event.CLIENT_FAULT, ", stopped"));
        figures.put("clients killed", "" + count(events, Event.CLIENT_FAULT, ", killed"));
        figures.put("links cut", "" + count(events, Event.NODE_FAULT, ", cut"));
        events.stream()
                .filter(event -> event.is(Event.OPERATED))
                .collect(Collectors.groupingBy(Event::subject, LinkedHashMap::new, Collectors.counting()))
                .forEach((what, times) -> figures.put(what, "" + times));
        figures.put("ambiguous outcomes met", "" + (settled + count(events, Event.UNSETTLED, "")));
        figures.put("of them settled at once", "" + settled);
        figures.put("calls without a clear answer", "" + failed);
        figures.put("violations", "" + violations.size());
        return new FaultReport(figures, summaries, violations);
    }

    private static long count(List<Event> events, String what, String how) {
        return events.stream()
                .filter(event -> event.is(what) && event.subject().endsWith(how))
                .count();
    }

    void printAndThrowIfWrong() {
        summaries.forEach(System.out::println);
        figures.forEach((name, value) -> System.out.println(name + ": " + value));
        violations.forEach(violation -> System.out.println("violation: " + violation));
        if (!violations.isEmpty()) {
            throw new IllegalStateException(violations.size() + " violations, such as: " + violations.get(0));
        }
    }
}
