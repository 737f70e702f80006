package io.surewrite.verification.report;

import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** All that was measured: first what a user gets, then what missed its goal. */
final class Report {

    private static final String COMMAND = "mvn -pl verification -am -DskipTests -Pbenchmark package";
    private static final List<String> HEAD = List.of("what", "ours", "beside", "theirs", "result", "goal");

    private final Map<Benchmark, Run> runs;

    private Report(Map<Benchmark, Run> runs) {
        this.runs = runs;
    }

    static Report of(Path directory) throws IOException {
        Map<Benchmark, Run> runs = new EnumMap<>(Benchmark.class);
        for (Benchmark benchmark : Benchmark.values()) {
            Run.read(directory, benchmark.id()).ifPresent(run -> runs.put(benchmark, run));
        }
        return new Report(runs);
    }

    /** Writes the report where it is read. */
    void write(Path page) throws IOException {
        Files.writeString(page, MarkdownPage.of(sections()));
        System.out.printf("%nReport: %s%n", page.toAbsolutePath());
    }

    private List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        sections.add(about());
        sections.add(gets());
        sections.add(missed());
        sections.add(notMeasured());
        for (Map.Entry<Benchmark, Run> entry : runs.entrySet()) {
            sections.add(section(entry.getKey(), entry.getValue()));
        }
        return sections;
    }

    private Section about() {
        List<String> lines = new ArrayList<>(List.of(
                "Made by `" + COMMAND + "`, not by hand.",
                "All in a table was measured in turns in one run: only the results mean something, and they move with the"
                        + " machine's noise. Ratios are ours ÷ theirs.",
                "The runs took "
                        + runs.values().stream().mapToLong(Run::seconds).sum()
                        + " s together."));
        common().forEach(condition -> lines.add(text(condition)));
        return new Section("Performance", lines, List.of(), List.of());
    }

    /** The conditions that were the same in all runs. */
    private Set<Map.Entry<String, String>> common() {
        Set<Map.Entry<String, String>> common = new LinkedHashSet<>();
        runs.values().forEach(run -> common.addAll(run.conditions().entrySet()));
        runs.values().forEach(run -> common.retainAll(run.conditions().entrySet()));
        return common;
    }

    private static String text(Map.Entry<String, String> condition) {
        return condition.getKey() + ": " + condition.getValue();
    }

    /** What each benchmark measures first is what it is about. */
    private Section gets() {
        List<List<String>> rows = new ArrayList<>();
        runs.forEach((benchmark, run) ->
                run.figures().stream().findFirst().ifPresent(figure -> rows.add(row(benchmark, figure))));
        return new Section(
                "What you get",
                List.of("The first number of each run, whether it meets its goal or not."),
                headWithPage(),
                rows);
    }

    private static List<String> headWithPage() {
        List<String> head = new ArrayList<>(HEAD);
        head.add("read on");
        return head;
    }

    private Section missed() {
        List<List<String>> rows = new ArrayList<>();
        runs.forEach((benchmark, run) ->
                run.figures().stream().filter(Figure::misses).forEach(figure -> rows.add(row(benchmark, figure))));
        long goals = runs.values().stream()
                .flatMap(run -> run.figures().stream())
                .filter(figure -> figure.goal() != null)
                .count();
        List<String> lines = new ArrayList<>(List.of("%d of %d goals are missed.".formatted(rows.size(), goals)));
        if (!rows.isEmpty()) {
            lines.add("Why, as far as it is known, says the last column's page, with what longer runs have printed.");
        }
        return new Section("Goals missed", lines, headWithPage(), rows);
    }

    private Section notMeasured() {
        List<List<String>> rows = new ArrayList<>();
        for (Benchmark benchmark : Benchmark.values()) {
            if (!runs.containsKey(benchmark)) {
                rows.add(List.of(benchmark.title, "it did not run, or failed, this time"));
            }
        }
        for (NotMeasured subject : NotMeasured.values()) {
            rows.add(List.of(subject.what, subject.why));
        }
        return new Section("Not measured", List.of(), List.of("what", "why"), rows);
    }

    private Section section(Benchmark benchmark, Run run) {
        List<String> lines = new ArrayList<>();
        Set<Map.Entry<String, String>> common = common();
        run.conditions().entrySet().stream()
                .filter(condition -> !common.contains(condition))
                .forEach(condition -> lines.add(text(condition)));
        lines.add("Began " + run.began() + ", took " + run.seconds() + " s: `" + run.command() + "`");
        return new Section(
                benchmark.title,
                lines,
                HEAD,
                run.figures().stream().map(Report::row).toList());
    }

    private static List<String> row(Benchmark benchmark, Figure figure) {
        List<String> row = new ArrayList<>(row(figure));
        row.add("[" + benchmark.title.toLowerCase(Locale.ROOT) + "](" + benchmark.page + ")");
        return row;
    }

    private static List<String> row(Figure figure) {
        String whose = figure.whose();
        return List.of(
                figure.what(),
                figure.oursText(),
                whose == null ? "" : whose,
                figure.theirsText(),
                figure.resultText(),
                figure.goalText());
    }
}
