package io.surewrite.verification.report;

import java.util.Locale;
import java.util.Set;

/**
 * A planted fault, and what came of it.
 *
 * @param type the class
 * @param mutator what was done to it
 * @param method where
 * @param line where
 * @param status in the words of PIT
 */
record Mutant(String type, String mutator, String method, String line, String status) {

    /**
     * A crash of the JVM ({@code RUN_ERROR}) is not among them, nor its want of memory ({@code MEMORY_ERROR}): they say nothing of
     * the tests. PIT sees a want of memory also where the garbage of many tests fills the old generation.
     */
    private static final Set<String> NOTICED = Set.of("KILLED", "TIMED_OUT");

    /** Reads a line of what PIT writes. */
    static Mutant parse(String row) {
        String[] cells = row.split(",", -1);
        return new Mutant(cells[1], cells[2], cells[3], cells[4], cells[5]);
    }

    boolean noticed() {
        return NOTICED.contains(status);
    }

    boolean is(String other) {
        return status.equals(other);
    }

    /** The class without its package, and the line. */
    String place() {
        return "`%s.%s`:%s".formatted(type.substring(type.lastIndexOf('.') + 1), method, line);
    }

    /** What was done, in words made from the name of PIT's class. */
    String fault() {
        return mutator.substring(mutator.lastIndexOf('.') + 1)
                .replaceAll("Mutator.*", "")
                .replaceAll("([a-z])([A-Z])", "$1 $2")
                .toLowerCase(Locale.ROOT);
    }
}
