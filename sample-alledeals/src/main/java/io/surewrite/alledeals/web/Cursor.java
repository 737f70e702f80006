package io.surewrite.alledeals.web;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the next page of a list begins: the last id of the page before, bound to its list by a check sum, so that a
 * cursor of another list is refused instead of giving a page that makes no sense. It keeps nothing secret.
 */
public record Cursor(String list) {

    private static final int CHECK_BYTES = 6;
    private static final int ID_BYTES = 16;

    /** Cuts a page off what was found. */
    public <T> Page<T> page(List<T> found, int size, Function<T, UUID> id) {
        return found.size() <= size
                ? new Page<>(found, null)
                : new Page<>(found.subList(0, size), after(id.apply(found.get(size - 1))));
    }

    /**
     * Reads a cursor.
     *
     * @param cursor as it was handed out
     * @throws ProblemException if this list never handed it out
     */
    public UUID read(String cursor) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(cursor));
            if (bytes.remaining() == ID_BYTES + CHECK_BYTES) {
                UUID id = new UUID(bytes.getLong(), bytes.getLong());
                if (after(id).equals(cursor)) {
                    return id;
                }
            }
        } catch (IllegalArgumentException notBase64) {
            // Refused below, as every cursor that is not ours.
        }
        throw new ProblemException(
                ProblemType.INVALID_REQUEST, new FieldProblem("cursor", "must be the 'next' of a page of this list"));
    }

    private String after(UUID id) {
        byte[] bytes = ByteBuffer.allocate(ID_BYTES + CHECK_BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .put(check(id), 0, CHECK_BYTES)
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private byte[] check(UUID id) {
        try {
            return MessageDigest.getInstance("SHA-256").digest((list + " " + id).getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible); // every Java platform has it
        }
    }

    /**
     * One page of a list.
     *
     * @param next the cursor of the next page, or null at the end
     */
    public record Page<T>(List<T> items, @Nullable String next) {}
}
