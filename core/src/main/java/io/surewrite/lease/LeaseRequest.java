package io.surewrite.lease;

import io.surewrite.internal.lwt.SerialConsistencyRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What to acquire, and how. Everything but the name has a default from the settings.
 *
 * @param name the name: not blank, at most {@value #MAX_NAME_LENGTH} characters
 * @param ttl how long the lease lasts in the table without renewal: whole seconds, at least two; null for the default
 * @param autoRenew whether it is renewed in the background until it is released
 * @param holdAtLeast how long the name stays closed to all others once it was acquired, or null: see
 *     {@link #withHoldAtLeast}
 */
public record LeaseRequest(
        String name,
        @Nullable Duration ttl,
        boolean autoRenew,
        @Nullable Duration holdAtLeast) {

    /** The greatest permitted length of a name. */
    public static final int MAX_NAME_LENGTH = 1000;

    /** The longest permitted ttl. */
    public static final Duration MAX_TTL = Duration.ofDays(365);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one of them is none that a lease can have
     */
    public LeaseRequest {
        if (name.isBlank()) {
            throw new IllegalArgumentException("The name of a lease must not be blank");
        }
        if (name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException("The name of a lease has %d characters, at most %d are permitted: '%s…'"
                    .formatted(name.length(), MAX_NAME_LENGTH, name.substring(0, 40)));
        }
        if (name.equals(SerialConsistencyRow.NAME)) {
            throw new IllegalArgumentException("The name '%s' is reserved".formatted(name));
        }
        // The table has no form for half of a character, which is left where a text is cut.
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException(
                    "The name of a lease is not valid Unicode: it holds half of a surrogate pair");
        }
        if (ttl != null) {
            LeaseSettings.checkTtl(ttl);
        }
        if (holdAtLeast != null) {
            LeaseSettings.checkHoldAtLeast(holdAtLeast);
            holdAtLeast = holdAtLeast.isZero() ? null : holdAtLeast;
        }
    }

    /** {@return a request with the defaults: the configured ttl, renewed automatically} */
    public static LeaseRequest of(String name) {
        return new LeaseRequest(name, null, true, null);
    }

    /**
     * {@return the text of a key from which a name is made: of a number, id, enum constant, record…}
     *
     * @throws IllegalArgumentException if it is null, or its text only says which object it is: two processes would never
     *     mean the same lease
     */
    public static String textOf(@Nullable Object key) {
        if (key == null) {
            throw new IllegalArgumentException("The key of a lease must not be null");
        }
        String text = key.toString();
        if (text == null || text.equals(key.getClass().getName() + "@" + Integer.toHexString(key.hashCode()))) {
            throw new IllegalArgumentException(
                    "A key of %s has no text of its own: its toString() is that of Object. Fix: use a key whose text is the same in every process, such as a string or a number"
                            .formatted(key.getClass()));
        }
        return text;
    }

    /** {@return the same request with another ttl: whole seconds, at least two} */
    public LeaseRequest withTtl(Duration newTtl) {
        return new LeaseRequest(name, newTtl, autoRenew, holdAtLeast);
    }

    /** {@return the same request for a lease that nothing renews but {@link Lease#renew()}} */
    public LeaseRequest withoutRenewal() {
        return new LeaseRequest(name, ttl, false, holdAtLeast);
    }

    /**
     * {@return the same request for a lease whose name stays closed to all callers of all processes for so long after a
     * node took its acquisition, also if it is released before, or its process dies} So of schedulers whose clocks differ by less,
     * only one runs a tick. If the process does not live to open the name, it opens up to three seconds and the margin later;
     * if it dies under the lease, the time, or the ttl where that is longer, begins with the last renewal.
     *
     * @param newHoldAtLeast any duration up to a year; zero for a name that opens with the release
     */
    public LeaseRequest withHoldAtLeast(Duration newHoldAtLeast) {
        return new LeaseRequest(name, ttl, autoRenew, newHoldAtLeast);
    }
}
