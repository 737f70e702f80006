package io.surewrite.actuate;

import java.util.Locale;

/** Constants as tags and log lines name them: {@code HALF_OPEN} is half-open. */
final class LowerCase {

    private LowerCase() {}

    static String of(Enum<?> constant) {
        return of(constant.name());
    }

    static String of(String constant) {
        return constant.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
