package io.surewrite.embedded;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which JDKs a Cassandra version supports, as its build file says. */
final class SupportedJdks {

    private SupportedJdks() {}

    static SortedSet<Integer> of(String cassandra) {
        List<Integer> features = switch (major(cassandra)) {
            case 0, 1, 2, 3, 4 -> List.of(11);
            case 5 -> List.of(11, 17);
            default -> List.of(11, 17, 21);
        };
        return Collections.unmodifiableSortedSet(new TreeSet<>(features));
    }

    private static int major(String cassandra) {
        String digits = cassandra.split("[^0-9]", 2)[0];
        return digits.isEmpty() || digits.length() > 3 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }
}
