package io.surewrite.schema;

import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the columns of one of our tables say of its version. A version adds columns and nothing else, so that an older
 * process can go on. A column {@code needs_N}, which is never written, says that no process older than version N may use
 * the table any more. Columns cannot contradict each other, whoever adds them, in whatever order.
 */
final class TableVersion {

    static final int FIRST = 1;

    private static final Pattern NEEDS = Pattern.compile("needs_([1-9]\\d{0,3})");

    private TableVersion() {}

    static String needs(int version) {
        return "needs_" + version;
    }

    static boolean isNeeds(String column) {
        return NEEDS.matcher(column).matches();
    }

    /** {@return the least version of a process that may use a table with these columns} */
    static int neededBy(Collection<String> columns) {
        int needed = FIRST;
        for (String column : columns) {
            Matcher needs = NEEDS.matcher(column);
            if (needs.matches()) {
                needed = Math.max(needed, Integer.parseInt(needs.group(1)));
            }
        }
        return needed;
    }
}
