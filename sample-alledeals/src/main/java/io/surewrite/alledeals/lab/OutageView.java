package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Outage.Level;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An outage as a picture of 600 by 150 and a few numbers.
 *
 * @param listed how many items were listed at once, before the stop was noticed or after the start
 * @param startedX where in the picture the database was started again, or null
 * @param isOver whether everything has come to the shelf, or nobody waits for it any more
 */
record OutageView(
        int listed,
        int kept,
        int failed,
        long waiting,
        long most,
        int onTheShelf,
        long millis,
        String waitingLine,
        @Nullable String startedX,
        boolean isOver) {

    private static final int WIDTH = 600;
    private static final int HEIGHT = 150;

    static OutageView of(Outage outage) {
        boolean isOver =
                outage.isOver(); // first, as the page asks no more when it is: what comes after is all there is
        List<Level> levels = outage.levels();
        int kept = outage.kept();
        double end = levels.isEmpty() ? 1 : levels.get(levels.size() - 1).millis();
        long most = Math.max(1, levels.stream().mapToLong(Level::waiting).max().orElse(1));
        return new OutageView(
                outage.listed(),
                kept,
                outage.failed(),
                levels.isEmpty() ? 0 : levels.get(levels.size() - 1).waiting(),
                most,
                kept - outage.missing().size(),
                Math.round(end),
                levels.stream()
                        .map(level -> x(level.millis(), end) + "," + y(level.waiting(), most))
                        .collect(Collectors.joining(" ")),
                Double.isNaN(outage.startedMillis()) ? null : x(outage.startedMillis(), end),
                isOver);
    }

    /** Whether nobody was turned away, nothing waits, and whatever was kept is on the shelf. */
    public boolean addsUp() {
        return isOver && failed == 0 && waiting == 0 && onTheShelf == kept;
    }

    /** How many have arrived in the database, and are listed next. */
    public long arrived() {
        return Math.max(0, kept - waiting - onTheShelf);
    }

    /** Whether the database is stopped. */
    public boolean isStopped() {
        return startedX == null && !isOver;
    }

    private static String x(double millis, double end) {
        return String.format(Locale.ROOT, "%.1f", WIDTH * Math.min(1, millis / end));
    }

    private static String y(long waiting, long most) {
        return String.format(Locale.ROOT, "%.1f", HEIGHT * (1 - waiting / (double) most));
    }
}
