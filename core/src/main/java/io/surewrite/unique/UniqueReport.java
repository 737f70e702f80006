package io.surewrite.unique;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a look at all rows of a table found.
 *
 * @param constraint the constraint's name
 * @param state what it says about the constraint
 * @param progress how much of the table was looked at, from 0 to 1
 * @param rows rows that have a value
 * @param claimed rows that have their claim now: those that a repair gave one, and all that a build left with one, whether
 *     it was made now, earlier, or by a writer
 * @param missing rows that had no claim, or an outdated one
 * @param orphans claims whose row does not have the value, and whose writer is gone
 * @param freed orphans that were removed
 * @param unclaimable rows whose value cannot be claimed, such as a text that is too long
 * @param duplicates rows whose value another row has
 * @param firstDuplicates the first of them, a thousand at most; the rest of those that a build finds is in its table
 */
public record UniqueReport(
        String constraint,
        State state,
        double progress,
        long rows,
        long claimed,
        long missing,
        long orphans,
        long freed,
        long unclaimable,
        long duplicates,
        List<Duplicate> firstDuplicates) {

    /** What is known of a constraint. */
    public enum State {
        /** Not all rows were looked at. */
        UNFINISHED,
        /** Every row that has a value has its claim. */
        VALID,
        /** Some rows are without their claim. */
        VIOLATED
    }

    /**
     * Two rows with one value.
     *
     * @param value the value that both have, by its properties, after the normalisers; not for logs
     * @param holder the primary key of the row that has the claim, as {@link UniqueFinder#findKey} returns it
     * @param other the primary key of the other row
     */
    public record Duplicate(
            Map<String, @Nullable String> value, Map<String, Object> holder, Map<String, Object> other) {

        /** Copies the maps, in their order. */
        public Duplicate {
            value = Collections.unmodifiableMap(new LinkedHashMap<>(value));
            holder = Collections.unmodifiableMap(new LinkedHashMap<>(holder));
            other = Collections.unmodifiableMap(new LinkedHashMap<>(other));
        }

        /** Leaves out the value. */
        @Override
        public String toString() {
            return "%s and %s".formatted(holder, other);
        }
    }

    /** Copies the list. */
    public UniqueReport {
        firstDuplicates = List.copyOf(firstDuplicates);
    }

    /**
     * The same report with other duplicates shown.
     *
     * @param shown instead of the first ones
     * @return the report
     */
    public UniqueReport withDuplicates(List<Duplicate> shown) {
        return new UniqueReport(
                constraint, state, progress, rows, claimed, missing, orphans, freed, unclaimable, duplicates, shown);
    }
}
