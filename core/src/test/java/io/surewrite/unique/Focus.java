package io.surewrite.unique;

import java.util.List;

/**
 * What the processes of a schedule mostly do. Anything may go wrong in each, but some mistakes need many of the same kind
 * of operation to show.
 */
enum Focus {
    /** A little of everything. */
    MIXED("abc", "xy", 0.6, 0.3, 0.1, 0.25, 0.1, 0.18),

    /** Changes of one row, and rivals for its values. */
    ONE_ROW("a", "xy", 0.8, 0.25, 0.05, 0.5, 0.05, 0.15),

    /** One value, wanted by one row again and again, and by others. */
    ONE_VALUE("a", "x", 0.2, 0.25, 0.3, 0.35, 0.0, 0.1),

    /** New rows that want the same value. */
    RIVALS("ab", "x", 0.1, 0.7, 0.05, 0.1, 0.05, 0.1),

    /** Rows that want several values, each of which another has perhaps claimed: calls wait for each other. */
    CROSSED("ab", "xy", 0.4, 0.4, 0.05, 0.5, 0.0, 0.05);

    /** Those that a schedule has by chance; another one would make others of the schedules that are known. */
    static final List<Focus> BY_CHANCE = List.of(MIXED, ONE_ROW, ONE_VALUE, RIVALS);

    private final String entities;
    private final String values;
    final double rowsAtFirst;
    final double insertFresh;
    final double insertKnown;
    final double change;
    final double overwrite;
    final double delete;

    Focus(
            String entities,
            String values,
            double rowsAtFirst,
            double insertFresh,
            double insertKnown,
            double change,
            double overwrite,
            double delete) {
        this.entities = entities;
        this.values = values;
        this.rowsAtFirst = rowsAtFirst;
        this.insertFresh = insertFresh;
        this.insertKnown = insertKnown;
        this.change = change;
        this.overwrite = overwrite;
        this.delete = delete;
    }

    List<String> entities() {
        return List.of(entities.split(""));
    }

    List<String> wanted() {
        return List.of(values.split(""));
    }
}
