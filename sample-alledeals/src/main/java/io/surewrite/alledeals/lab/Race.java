package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.item.Item;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A race of buyers for one item as it happens: a picture of 600 by 220 and a few numbers. The page looks first whether it is over,
 * and asks no more when it is: what it looks at after that is all there is.
 */
final class Race {

    private static final int WIDTH = 600;
    private static final int HEIGHT = 150;

    private final Item item;
    private final int buyers;
    private final long start = System.nanoTime();
    private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private final Deque<Level> levels = new ConcurrentLinkedDeque<>();
    private volatile double took = Double.NaN;

    Race(Item item, int buyers) {
        this.item = item;
        this.buyers = buyers;
        stockRead(item.offeredUnits());
    }

    void came(Kind kind) {
        outcomes.add(new Outcome(duration(), kind));
    }

    void stockRead(int available) {
        levels.add(new Level(duration(), available));
    }

    void end() {
        took = duration();
    }

    public boolean isOver() {
        return !Double.isNaN(took);
    }

    public UUID id() {
        return item.id();
    }

    public int units() {
        return item.offeredUnits();
    }

    public int buyers() {
        return buyers;
    }

    public long bought() {
        return count(Kind.BOUGHT);
    }

    public long soldOut() {
        return count(Kind.SOLD_OUT);
    }

    public long unknown() {
        return count(Kind.UNKNOWN);
    }

    private long count(Kind kind) {
        return outcomes.stream().filter(outcome -> outcome.kind() == kind).count();
    }

    /** How many units the database says are left. */
    public int available() {
        return levels.getLast().available();
    }

    /** How long it took, or has taken so far. */
    public long millis() {
        return Math.round(duration());
    }

    private double duration() {
        return isOver() ? took : (System.nanoTime() - start) / 1e6;
    }

    /** Whether everybody knows what became of the purchase, and no unit is lost or sold twice. */
    public boolean addsUp() {
        return isOver() && bought() + soldOut() == buyers && bought() + available() == units();
    }

    /** The stock over time, in steps, since it does not change little by little. */
    public String stockLine() {
        double end = duration();
        StringBuilder line = new StringBuilder();
        int before = units();
        for (Level level : levels) {
            line.append(point(level.millis(), end, before)).append(point(level.millis(), end, level.available()));
            before = level.available();
        }
        return line.toString();
    }

    private String point(double millis, double end, int available) {
        return String.format(
                Locale.ROOT, "%.1f,%.1f ", WIDTH * millis / end, HEIGHT * (1 - available / (double) units()));
    }

    /** The buyers' answers. */
    public List<Dot> dots() {
        double end = duration();
        return outcomes.stream()
                .map(outcome -> new Dot(
                        String.format(Locale.ROOT, "%.1f", WIDTH * outcome.millis() / end),
                        outcome.kind().lane,
                        outcome.kind().name().toLowerCase(Locale.ROOT).replace('_', '-')))
                .toList();
    }

    /** What a buyer was told, each kind in a lane of the picture. */
    enum Kind {
        BOUGHT(170),
        SOLD_OUT(184),
        UNKNOWN(198);

        private final int lane;

        Kind(int lane) {
            this.lane = lane;
        }
    }

    private record Outcome(double millis, Kind kind) {}

    private record Level(double millis, int available) {}

    record Dot(String x, int y, String kind) {}
}
