package io.surewrite.verification.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What was measured, ours beside theirs: a table of Markdown, each row of which is printed at once. */
final class Results {

    private final List<String> rows = new ArrayList<>();

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
        row(what, unit, median(ours), whose, median(theirs), ratio(goal, ours, theirs), "");
    }

    /** The median of the ratios of several blocks, the lowest and the highest, and what it may be, if that is a number. */
    static String ratio(double goal, double[] ours, double[] theirs) {
        double[] ratios = IntStream.range(0, ours.length)
                .mapToDouble(block -> ours[block] / theirs[block])
                .sorted()
                .toArray();
        double ratio = median(ratios);
        String range = ratios.length == 1 ? "" : " (%.2f to %.2f)".formatted(ratios[0], ratios[ratios.length - 1]);
        String judged = Double.isNaN(goal) ? "" : " %s %.2f".formatted(ratio <= goal ? "≤" : ">", goal);
        return "%.2f%s%s".formatted(ratio, range, judged);
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
        if (rows.isEmpty()) {
            print("| what | ours | beside | theirs | result | goal |");
            print("|---|---|---|---|---|---|");
        }
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
