package io.surewrite.embedded;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which JDKs a Cassandra version runs on.
 *
 * @param supported those that its build file names
 * @param newer whether it runs on every one from 17, too, with the help of {@link ChildJar} and {@link JvmArguments}
 */
record SupportedJdks(SortedSet<Integer> supported, boolean newer) {

    private static final int FIRST_OF_NEWER = 17;

    static SupportedJdks of(String cassandra) {
        return switch (major(cassandra)) {
            // Its jamm fails on 17: "can't get field offset on a hidden class".
            case 0, 1, 2, 3, 4 -> new SupportedJdks(new TreeSet<>(Set.of(11)), false);
            case 5 -> new SupportedJdks(new TreeSet<>(Set.of(11, 17)), true);
            default -> new SupportedJdks(new TreeSet<>(Set.of(11, 17, 21)), true);
        };
    }

    private static int major(String cassandra) {
        String digits = cassandra.split("[^0-9]", 2)[0];
        return digits.isEmpty() || digits.length() > 3 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }

    boolean support(Jdk jdk) {
        return supported.contains(jdk.feature());
    }

    boolean run(Jdk jdk) {
        return support(jdk) || (newer && jdk.feature() >= FIRST_OF_NEWER);
    }

    /** Those that it supports, such as {@code 11 or 17}. */
    @Override
    public String toString() {
        return supported.stream().map(String::valueOf).collect(Collectors.joining(" or "));
    }

    /** Those that it runs on. */
    String all() {
        return newer ? "11, 17 or newer" : toString();
    }
}
