package io.surewrite.alledeals.web;

import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the next page of a list begins: the last id of the page before, bound to its list by a check sum, so that a
 * cursor of another list is refused instead of giving a page that makes no sense. It keeps nothing secret.
 */
public record Cursor(String list) {

    /** Cuts a page off what was found. */
    public <T> Page<T> page(List<T> found, int size, Function<T, UUID> id) {
        return found.size() <= size
                ? new Page<>(found, null)
                : new Page<>(found.subList(0, size), after(id.apply(found.get(size - 1))));
    }

    /** Reads a cursor. */
    public UUID read(@Nullable String cursor) {
        if (cursor == null) {
            return TimeIds.NEWEST;
        }
        try {
            UUID id = UUID.fromString(cursor.replaceFirst("\\..*", ""));
            if (after(id).equals(cursor)) {
                return id;
            }
        } catch (IllegalArgumentException noId) {
            // Refused below, as every cursor that is not ours.
        }
        throw new ProblemException(
                ProblemType.INVALID_REQUEST, new FieldProblem("cursor", "must be the 'next' of a page of this list"));
    }

    private String after(UUID id) {
        return id + "." + Integer.toHexString((list + " " + id).hashCode());
    }

    /** One page of a list. */
    public record Page<T>(List<T> items, @Nullable String next) {}
}
