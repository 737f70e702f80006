package io.surewrite.verification.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What came out of trials under faults.
 *
 * @param figures by their names
 * @param summaries a sentence of each trial
 * @param violations what was wrong, a sentence each
 */
record FaultReport(Map<String, String> figures, List<String> summaries, List<String> violations) {

    static FaultReport of(Duration disturbed, long seed, List<Event> events, List<? extends Trial> trials) {
        long operations = count(events, Event.FAILED, "");
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
        figures.put("seed", String.valueOf(seed));
        figures.put("operations", String.valueOf(operations));
        figures.put("faults injected: nodes paused", number(events, Event.NODE_FAULT, ", paused"));
        figures.put("nodes killed", number(events, Event.NODE_FAULT, ", killed"));
        figures.put("clients stopped", number(events, Event.CLIENT_FAULT, ", stopped"));
        figures.put("clients killed", number(events, Event.CLIENT_FAULT, ", killed"));
        long cuts = count(events, Event.NODE_FAULT, ", cut");
        if (cuts > 0) {
            figures.put("links cut", String.valueOf(cuts));
        }
        events.stream()
                .filter(event -> event.is(Event.OPERATED))
                .collect(Collectors.groupingBy(Event::subject, LinkedHashMap::new, Collectors.counting()))
                .forEach((what, times) -> figures.put(what, String.valueOf(times)));
        figures.put("ambiguous outcomes met", String.valueOf(settled + count(events, Event.UNSETTLED, "")));
        figures.put("of them settled at once", String.valueOf(settled));
        figures.put("calls without a clear answer", number(events, Event.FAILED, ""));
        figures.put("violations", String.valueOf(violations.size()));
        return new FaultReport(figures, summaries, violations);
    }

    private static String number(List<Event> events, String what, String how) {
        return String.valueOf(count(events, what, how));
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
