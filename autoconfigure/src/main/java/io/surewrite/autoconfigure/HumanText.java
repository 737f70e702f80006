package io.surewrite.autoconfigure;

import java.time.Duration;
import java.util.regex.Pattern;

/** Texts for people: durations as they write them, and pages that they can open. */
final class HumanText {

    private static final Pattern ISO_DURATION =
            Pattern.compile("\\bPT(?=[-\\d])(-?\\d+H)?(-?\\d+M)?(-?\\d+(\\.\\d+)?S)?(?![\\w.]\\w)");

    private HumanText() {}

    /** {@return the text with {@code 300 ms} and {@code 11 days} in the place of {@code PT0.3S} and {@code PT264H}} */
    static String of(String text) {
        return ISO_DURATION.matcher(text).replaceAll(found -> of(Duration.parse(found.group())));
    }

    /** {@return the duration in the largest unit of which it is a whole number} */
    static String of(Duration duration) {
        long seconds = duration.toSeconds();
        if (duration.toNanosPart() != 0) {
            return duration.toNanosPart() % 1_000_000 == 0
                    ? duration.toMillis() + " ms"
                    : duration.toNanos() / 1000 + " µs";
        }
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + " s";
        }
        if (seconds % 3600 != 0) {
            return counted(seconds / 60, "minute");
        }
        return seconds % 86_400 != 0 ? counted(seconds / 3600, "hour") : counted(seconds / 86_400, "day");
    }

    private static String counted(long count, String unit) {
        return count + " " + unit + (count == 1 ? "" : "s");
    }

    /** {@return where a page of the documentation is, of this release} */
    static String page(String name) {
        return address(name + ".md");
    }

    /**
     * {@return where the page on messages explains one}
     *
     * @param entry its heading there, as an anchor
     */
    static String entry(String entry) {
        return address("troubleshooting.md#" + entry);
    }

    private static String address(String target) {
        String version = HumanText.class.getPackage().getImplementationVersion();
        boolean released = version != null && !version.endsWith("-SNAPSHOT");
        return "https://github.com/surewrite/surewrite/blob/%s/docs/%s (Surewrite %s)"
                .formatted(released ? "v" + version : "main", target, version == null ? "from its sources" : version);
    }
}
