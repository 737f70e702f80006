package io.surewrite.verification.figures;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that was measured, mostly beside what somebody else makes of it in the same run.
 *
 * @param what was measured, such as {@code insert, p50}
 * @param unit of both values, such as {@code ms}; may be empty
 * @param ours the value with Surewrite
 * @param whose what it stands beside; null if alone
 * @param theirs the value of that
 * @param measure what of the two is judged
 * @param result that: the ratio, the difference, or our value
 * @param goal for the result; null if there is none
 */
public record Figure(
        String what,
        String unit,
        double ours,
        @Nullable String whose,
        double theirs,
        Measure measure,
        double result,
        @Nullable Goal goal) {

    /** What is judged. */
    public enum Measure {
        /** Ours divided by theirs. */
        RATIO,
        /** Ours without theirs. */
        DIFFERENCE,
        /** Ours alone. */
        VALUE
    }

    /**
     * Two values of which the ratio counts.
     *
     * @param what was measured
     * @param unit of both values
     * @param ours our value
     * @param whose what it stands beside
     * @param theirs the value of that
     * @return the figure, without a goal
     */
    public static Figure ratio(String what, String unit, double ours, String whose, double theirs) {
        return new Figure(what, unit, ours, whose, theirs, Measure.RATIO, ours / theirs, null);
    }

    /**
     * Two values of which the difference counts.
     *
     * @param what was measured
     * @param unit of both values
     * @param ours our value
     * @param whose what it stands beside
     * @param theirs the value of that
     * @return the figure, without a goal
     */
    public static Figure difference(String what, String unit, double ours, String whose, double theirs) {
        return new Figure(what, unit, ours, whose, theirs, Measure.DIFFERENCE, ours - theirs, null);
    }

    /**
     * A value that counts by itself.
     *
     * @param what was measured
     * @param unit of the value
     * @param ours the value
     * @return the figure, without a goal
     */
    public static Figure value(String what, String unit, double ours) {
        return new Figure(what, unit, ours, null, 0, Measure.VALUE, ours, null);
    }

    /**
     * {@return the same with another value at its side}
     *
     * @param name what it stands beside
     * @param value the value of that
     */
    public Figure beside(String name, double value) {
        return new Figure(what, unit, ours, name, value, measure, result, goal);
    }

    /**
     * {@return the same with a result of its own, such as the median of the ratios of many rounds}
     *
     * @param measured what counts
     */
    public Figure withResult(double measured) {
        return new Figure(what, unit, ours, whose, theirs, measure, measured, goal);
    }

    /**
     * {@return the same with a goal}
     *
     * @param wanted what the result should be
     */
    public Figure withGoal(Goal wanted) {
        return new Figure(what, unit, ours, whose, theirs, measure, result, wanted);
    }

    /** {@return whether there is a goal that the result does not meet} */
    public boolean misses() {
        return goal != null && !goal.isMetBy(result);
    }

    /** {@return our value with its unit} */
    public String oursText() {
        return number(ours) + suffix();
    }

    /** {@return their value with its unit; empty if there is none} */
    public String theirsText() {
        return whose == null ? "" : number(theirs) + suffix();
    }

    /** {@return what counts, readable} */
    public String resultText() {
        return switch (measure) {
            case RATIO -> number(result) + " ×";
            case DIFFERENCE -> (result > 0 ? "+" : "") + number(result) + suffix();
            case VALUE -> oursText();
        };
    }

    /** {@return the goal and whether it is met; empty if there is none} */
    public String goalText() {
        return goal == null ? "" : goal + (misses() ? ", missed" : ", met");
    }

    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(what).append(": ").append(oursText());
        if (whose != null) {
            line.append(", ").append(whose).append(' ').append(theirsText());
        }
        if (measure != Measure.VALUE) {
            line.append(": ").append(resultText());
        }
        if (goal != null) {
            line.append(" (goal: ").append(goalText()).append(')');
        }
        return line.toString();
    }

    private String suffix() {
        return unit.isEmpty() ? "" : " " + unit;
    }

    /** With about four digits: more would be noise. */
    private static String number(double value) {
        double size = Math.abs(value);
        String format = value == Math.rint(value) || size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }
}
