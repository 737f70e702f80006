package io.surewrite.unique.catalog;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** What somebody may have meant who wrote a name that there is not. */
public final class NearestName {

    private NearestName() {}

    /**
     * Finds the name that takes the fewest changes.
     *
     * @param written what was written
     * @param known the names that there are
     * @return the nearest, upper and lower case aside; empty if more than half of the name would have to change
     */
    public static Optional<String> to(String written, Collection<String> known) {
        return known.stream()
                .filter(name -> changes(written, name) * 2 <= Math.max(written.length(), name.length()))
                .min(Comparator.comparing((String name) -> changes(written, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** The distance of Levenshtein, where a swap of neighbours counts once. */
    private static int changes(String one, String other) {
        String from = one.toLowerCase(Locale.ROOT);
        String to = other.toLowerCase(Locale.ROOT);
        int[][] costs = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    costs[i][j] = i + j;
                    continue;
                }
                int replaced = costs[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                costs[i][j] = Math.min(replaced, 1 + Math.min(costs[i - 1][j], costs[i][j - 1]));
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    costs[i][j] = Math.min(costs[i][j], costs[i - 2][j - 2] + 1);
                }
            }
        }
        return costs[from.length()][to.length()];
    }
}
