package io.surewrite.unique;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an audit or a repair of a constraint has found.
 *
 * @param constraint the constraint's name
 * @param progress how much of the table was looked at, from 0 to 1
 * @param rows rows that have a value
 * @param claimed rows that had no claim, or an outdated one, and were given one
 * @param missing rows that have none, as an audit gives none
 * @param freed claims that were removed: their rows did not have the value, and their writers were gone
 * @param orphans such claims that are there, as an audit removes none
 * @param unclaimable rows whose value cannot be claimed, such as a text that is too long
 * @param duplicates rows whose value another row has; they have no claim
 * @param firstDuplicates a thousand of them at most
 */
public record UniqueReport(
        String constraint,
        double progress,
        long rows,
        long claimed,
        long missing,
        long freed,
        long orphans,
        long unclaimable,
        long duplicates,
        List<Duplicate> firstDuplicates) {

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

    /** {@return the same report with other duplicates shown} */
    public UniqueReport withDuplicates(List<Duplicate> shown) {
        return new UniqueReport(
                constraint, progress, rows, claimed, missing, freed, orphans, unclaimable, duplicates, shown);
    }

    /** {@return whether all rows were looked at, and each that has a value has its claim} */
    public boolean isValid() {
        return progress == 1 && missing + unclaimable + duplicates == 0;
    }
}
