package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.item.Item;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A race of buyers for one item: what happened when, as it happened. */
class Race {

    private final Item item;
    private final int buyers;
    private final long start = System.nanoTime();
    private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private final Queue<Level> levels = new ConcurrentLinkedQueue<>();
    private volatile double took;
    private volatile boolean over;

    Race(Item item, int buyers) {
        this.item = item;
        this.buyers = buyers;
    }

    void came(Kind kind) {
        outcomes.add(new Outcome(millis(), kind));
    }

    void stockRead(int available) {
        levels.add(new Level(millis(), available));
    }

    void end() {
        took = millis();
        over = true;
    }

    UUID itemId() {
        return item.id();
    }

    int units() {
        return item.offeredUnits();
    }

    int buyers() {
        return buyers;
    }

    boolean isOver() {
        return over;
    }

    List<Outcome> outcomes() {
        return List.copyOf(outcomes);
    }

    List<Level> levels() {
        return List.copyOf(levels);
    }

    /** How long it took, or has taken so far. */
    double duration() {
        return over ? took : millis();
    }

    private double millis() {
        return (System.nanoTime() - start) / 1e6;
    }

    /** What a buyer was told. */
    enum Kind {
        BOUGHT,
        SOLD_OUT,
        UNKNOWN
    }

    /** A buyer was told something. */
    record Outcome(double millis, Kind kind) {}

    /** The stock was read from the database. */
    record Level(double millis, int available) {}
}
