package io.surewrite.embedded;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which JDKs a Cassandra version runs on.
 *
 * @param supported those that its build file names
 * @param newest up to which one it runs on those from 17, too, with the help of {@link ChildJar} and {@link JvmArguments}
 */
record SupportedJdks(SortedSet<Integer> supported, int newest) {

    private static final int FIRST_OF_NEWER = 17;
    private static final int LAST_WITH_OLD_JAMM = 4;

    static SupportedJdks of(String cassandra) {
        return switch (major(cassandra)) {
            case 0, 1, 2, 3, 4 -> new SupportedJdks(new TreeSet<>(Set.of(11)), FIRST_OF_NEWER);
            case 5 -> new SupportedJdks(new TreeSet<>(Set.of(11, 17)), Integer.MAX_VALUE);
            default -> new SupportedJdks(new TreeSet<>(Set.of(11, 17, 21)), Integer.MAX_VALUE);
        };
    }

    /** Whether the jamm of this Cassandra fails on the JDK. */
    static boolean needMemoryMeter(String cassandra, Jdk jdk) {
        return major(cassandra) <= LAST_WITH_OLD_JAMM && jdk.feature() >= FIRST_OF_NEWER;
    }

    private static int major(String cassandra) {
        String digits = cassandra.split("[^0-9]", 2)[0];
        return digits.isEmpty() || digits.length() > 3 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }

    boolean support(Jdk jdk) {
        return supported.contains(jdk.feature());
    }

    boolean run(Jdk jdk) {
        return support(jdk) || (jdk.feature() >= FIRST_OF_NEWER && jdk.feature() <= newest);
    }

    /** Those that it supports, such as {@code 11 or 17}. */
    @Override
    public String toString() {
        return supported.stream().map(String::valueOf).collect(Collectors.joining(" or "));
    }

    /** Those that it runs on. */
    String all() {
        return newest == FIRST_OF_NEWER ? "11 or 17" : "11, 17 or newer";
    }
}
