package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Race.Kind;
import io.surewrite.alledeals.lab.Race.Level;
import io.surewrite.alledeals.lab.Race.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A race as a picture of 600 by 220 and a few numbers. */
record RaceView(
        UUID id,
        int buyers,
        int units,
        long bought,
        long soldOut,
        long unknown,
        int available,
        long millis,
        String stockLine,
        List<Dot> dots,
        boolean isOver) {

    static final int WIDTH = 600;
    static final int HEIGHT = 150;

    static RaceView of(Race race) {
        boolean isOver = race.isOver(); // first, as the page asks no more when it is: what comes after is all there is
        List<Outcome> outcomes = race.outcomes();
        List<Level> levels = race.levels();
        double end = race.duration();
        return new RaceView(
                race.itemId(),
                race.buyers(),
                race.units(),
                count(outcomes, Kind.BOUGHT),
                count(outcomes, Kind.SOLD_OUT),
                count(outcomes, Kind.UNKNOWN),
                levels.isEmpty() ? race.units() : levels.get(levels.size() - 1).available(),
                Math.round(end),
                line(levels, end, race.units()),
                outcomes.stream().map(outcome -> Dot.of(outcome, end)).toList(),
                isOver);
    }

    /** Whether everybody knows what became of the purchase, and no unit is lost or sold twice. */
    public boolean addsUp() {
        return isOver && bought + soldOut == buyers && bought + available == units;
    }

    private static long count(List<Outcome> outcomes, Kind kind) {
        return outcomes.stream().filter(outcome -> outcome.kind() == kind).count();
    }

    /** Steps, since a stock does not change little by little. */
    private static String line(List<Level> levels, double end, int units) {
        return IntStream.range(0, levels.size())
                .mapToObj(index -> {
                    Level level = levels.get(index);
                    String point = point(level.millis(), end, level.available(), units);
                    return index == 0
                            ? point
                            : point(level.millis(), end, levels.get(index - 1).available(), units) + " " + point;
                })
                .collect(Collectors.joining(" "));
    }

    private static String point(double millis, double end, int available, int units) {
        return String.format(Locale.ROOT, "%.1f,%.1f", WIDTH * millis / end, HEIGHT * (1 - available / (double) units));
    }

    /** A buyer's answer. */
    record Dot(String x, int y, String kind) {

        static Dot of(Outcome outcome, double end) {
            return new Dot(
                    String.format(Locale.ROOT, "%.1f", WIDTH * outcome.millis() / end),
                    lane(outcome.kind()),
                    outcome.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }

        private static int lane(Kind kind) {
            return switch (kind) {
                case BOUGHT -> 170;
                case SOLD_OUT -> 184;
                case UNKNOWN -> 198;
            };
        }
    }
}
