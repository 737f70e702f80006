package io.surewrite.verification.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What was measured, ours beside theirs: a table of Markdown, each row of which is printed at once. */
final class Results {

    private final List<String> rows = new ArrayList<>();

    Results() {
        print("| what | ours | beside | theirs | result | goal |");
        print("|---|---|---|---|---|---|");
    }

    /** Two values of which the ratio counts, without a goal. */
    void ratio(String what, String unit, double ours, String whose, double theirs) {
        ratio(what, unit, ours, whose, theirs, "");
    }

    /** Two values whose ratio is to be low. */
    void atMost(double goal, String what, String unit, double ours, String whose, double theirs) {
        ratio(what, unit, ours, whose, theirs, goal("at most", goal, ours / theirs <= goal));
    }

    /** The same of several blocks: their medians, the median of their ratios, and the lowest and the highest of those. */
    void atMost(double goal, String what, String unit, double[] ours, String whose, double[] theirs) {
        double[] ratios = IntStream.range(0, ours.length)
                .mapToDouble(block -> ours[block] / theirs[block])
                .sorted()
                .toArray();
        double ratio = median(ratios);
        String result = "%s (%s to %s)"
                .formatted(number(ratio, "×"), number(ratios[0], ""), number(ratios[ratios.length - 1], ""));
        row(what, unit, median(ours), whose, median(theirs), result, goal("at most", goal, ratio <= goal));
    }

    static double median(double[] values) {
        return Arrays.stream(values).sorted().toArray()[values.length / 2];
    }

    /** Two values whose ratio is to be high. */
    void atLeast(double goal, String what, String unit, double ours, String whose, double theirs) {
        ratio(what, unit, ours, whose, theirs, goal("at least", goal, ours / theirs >= goal));
    }

    private void ratio(String what, String unit, double ours, String whose, double theirs, String goal) {
        row(what, unit, ours, whose, theirs, number(ours / theirs, "×"), goal);
    }

    private void row(String what, String unit, double ours, String whose, double theirs, String result, String goal) {
        print("| %s | %s | %s | %s | %s | %s |"
                .formatted(what, number(ours, unit), whose, number(theirs, unit), result, goal));
    }

    private static String goal(String side, double goal, boolean isMet) {
        return "%s %s, %s".formatted(side, number(goal, ""), isMet ? "met" : "missed");
    }

    /** With about four digits: more would be noise. */
    private static String number(double value, String unit) {
        double size = Math.abs(value);
        String format = value == Math.rint(value) || size >= 100 ? "%,.0f %s" : size >= 10 ? "%.1f %s" : "%.3f %s";
        return String.format(Locale.ROOT, format, value, unit).strip();
    }

    void print(String row) {
        System.out.println(row);
        rows.add(row);
    }

    @Override
    public String toString() {
        return String.join("\n", rows) + "\n";
    }
}
