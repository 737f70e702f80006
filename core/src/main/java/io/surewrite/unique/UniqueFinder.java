package io.surewrite.unique;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/**
 * Finds rows by the values that {@link UniqueBy} keeps unique, by the name of the constraint: no index, two reads at
 * quorum. Thread safe.
 */
public interface UniqueFinder {

    /**
     * Finds the row that has a value, whatever the constraint's normalisers make of it. A row that was written past the
     * guard, or before the constraint was there, has no claim and is not found.
     *
     * @param constraint the constraint's name
     * @param value a value for each part, of the Java types that the driver gives and takes by default
     * @return the primary key of the row, by the names of its columns, in the order of the table; empty if no row has the
     *     value
     * @throws IllegalArgumentException if no repository that was made so far has this constraint, or it has another
     *     number of parts
     * @throws UnclaimableValueException if no row can have the value
     * @throws DataAccessException if the cluster gives no answer
     */
    Optional<Map<String, Object>> findKey(String constraint, @Nullable Object... value);
}
