package io.surewrite.alledeals.user;

import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A user as pages show one: everybody may see it, so no email address and no age. */
public record UserView(
        UUID id,
        String login,
        String name,
        String initials,
        int tone,
        @Nullable String city,
        @Nullable String about) {

    private static final int TONES = 6;

    public static UserView of(User user) {
        String name = user.fullName() == null || user.fullName().isBlank() ? user.login() : user.fullName();
        return new UserView(
                user.id(),
                user.login(),
                name,
                initials(name.strip()),
                Math.floorMod(user.id().hashCode(), TONES),
                user.city(),
                user.about());
    }

    private static String initials(String name) {
        int lastWord = name.lastIndexOf(' ') + 1;
        String second = lastWord > 0 ? first(name.substring(lastWord)) : "";
        return (first(name) + second).toUpperCase(Locale.ROOT);
    }

    /** A whole character, also where it takes two chars. */
    private static String first(String word) {
        return word.substring(0, word.offsetByCodePoints(0, 1));
    }
}
