package io.surewrite.alledeals.user;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an attribute of a user ever was, in the words of a page. Only what a profile shows: no email address and no age.
 */
record JournalView(String name, String title, List<Value> entries) {

    private static final Map<String, String> SHOWN =
            Map.of("login", "Login", "fullName", "Full name", "city", "City", "about", "A few words");

    private static final DateTimeFormatter EXACTLY = DateTimeFormatter.ofPattern(
                    "d MMMM uuuu, HH:mm:ss 'UTC'", Locale.UK)
            .withZone(ZoneOffset.UTC);

    static List<JournalView> of(Map<String, List<UserJournal.Entry>> journal) {
        return journal.entrySet().stream()
                .filter(attribute -> SHOWN.containsKey(attribute.getKey()))
                .map(attribute -> new JournalView(
                        attribute.getKey(),
                        Objects.requireNonNull(SHOWN.get(attribute.getKey())),
                        attribute.getValue().stream()
                                .map(entry -> new Value(
                                        entry.value() == null
                                                ? null
                                                : entry.value().toString(),
                                        EXACTLY.format(entry.at())))
                                .toList()))
                .toList();
    }

    /** A value. */
    record Value(@Nullable String value, String since) {}
}
