package io.surewrite.unique;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/**
 * Finds rows by the values that {@link UniqueBy} keeps unique, by the name of the constraint: no index, two reads at
 * quorum. Thread safe. Programs without blocking use the methods that end in {@code Async};
 * their stages complete with the same exceptions.
 *
 * <p>What is found had the value when it was read, after the call began, and every write that was acknowledged before the
 * call is seen. Nothing is found if there was a moment during the call at which no row had the value. A row that was
 * written past the guard, or before the constraint was there, has no claim and is not found.
 *
 * <p>A value is given for each part of the constraint: as the property's own type, such as a value object that a converter
 * of the application stores as a text, or as the Java type that the driver gives and takes by default. Whatever the
 * constraint's normalisers treat as the same is found. A value that the constraint does not claim, such as a null, finds
 * nothing: any number of rows may have it.
 *
 * <p>Each throws an {@link IllegalArgumentException} if no repository that was made so far has the constraint, or it has another
 * number of parts; an {@link UnclaimableValueException} if no row can have the value; and a {@link DataAccessException} if the
 * cluster gives no answer.
 */
public interface UniqueFinder {

    /**
     * Finds the primary key of the row that has a value.
     *
     * @return the primary key of the row, by the names of its columns, in the order of the table; empty if no row has the
     *     value
     */
    Optional<Map<String, Object>> findKey(String constraint, @Nullable Object... value);

    /** Finds a key, see {@link #findKey}. */
    CompletionStage<Optional<Map<String, Object>>> findKeyAsync(String constraint, @Nullable Object... value);

    /**
     * Finds the row that has a value, as an entity: the row as the one read showed it that found the value in it.
     *
     * @param type a type that is mapped to the constraint's table
     * @return the entity; empty if no row has the value
     * @throws IllegalArgumentException also if the type is mapped to another table
     */
    <T> Optional<T> find(String constraint, Class<T> type, @Nullable Object... value);

    /** Finds an entity, see {@link #find}. */
    <T> CompletionStage<Optional<T>> findAsync(String constraint, Class<T> type, @Nullable Object... value);
}
