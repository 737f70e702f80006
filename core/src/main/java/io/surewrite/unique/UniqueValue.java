package io.surewrite.unique;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value of a constraint in comparable form: made by {@link UniqueConstraint#value}.
 *
 * @param parts the normalised text of each component, which is what is compared; null for null
 */
public record UniqueValue(List<@Nullable String> parts) {

    /** How long an encoded value may be, in bytes of UTF-8. */
    public static final int MAX_BYTES = 32 * 1024;

    /** Copies the list. */
    public UniqueValue {
        parts = Collections.unmodifiableList(new ArrayList<>(parts));
    }

    /**
     * The text that is the key of the claim. Each part has its length in front, so that parts cannot run together:
     * {@code 1:a2:bc} is not {@code 2:ab1:c}; null is {@code -}.
     */
    public String encoded() {
        StringBuilder text = new StringBuilder();
        for (String part : parts) {
            if (part == null) {
                text.append('-');
            } else {
                text.append(part.length()).append(':').append(part);
            }
        }
        return text.toString();
    }

    /** Reads what {@link #encoded()} wrote. */
    static UniqueValue decode(String encoded) {
        List<@Nullable String> parts = new ArrayList<>();
        int at = 0;
        while (at < encoded.length()) {
            if (encoded.charAt(at) == '-') {
                parts.add(null);
                at++;
                continue;
            }
            int colon = encoded.indexOf(':', at);
            int end = colon < 0 ? -1 : colon + 1 + Integer.parseInt(encoded.substring(at, colon));
            if (end < 0 || end > encoded.length()) {
                throw new IllegalArgumentException("Not the text of a unique value");
            }
            parts.add(encoded.substring(colon + 1, end));
            at = end;
        }
        return new UniqueValue(parts);
    }

    /** Throws an {@link UnclaimableValueException} if the encoded value is longer than {@link #MAX_BYTES}. */
    void checkLength(UniqueConstraint constraint) {
        String text = encoded();
        int bytes = text.length() <= MAX_BYTES / 3 ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new UnclaimableValueException(
                    constraint, "is %d bytes long, but at most %d can be claimed".formatted(bytes, MAX_BYTES));
        }
    }

    /** Values are not for logs. */
    @Override
    public String toString() {
        return "UniqueValue[%d parts]".formatted(parts.size());
    }
}
