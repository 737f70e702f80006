package io.surewrite.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** What matters of a table. A later release of ours adds columns and nothing else, so that an older process can go on. */
record TableShape(Map<String, String> columns, String primaryKey, int timeToLive) {

    static String primaryKey(Collection<String> partitionKey, Collection<String> clusteringColumns) {
        List<String> parts = new ArrayList<>();
        String partition = String.join(", ", partitionKey);
        parts.add(partitionKey.size() == 1 ? partition : "(" + partition + ")");
        parts.addAll(clusteringColumns);
        return "(" + String.join(", ", parts) + ")";
    }

    /** What keeps this table from doing the other's work; columns of its own do not. */
    List<String> differencesFrom(TableShape expected) {
        List<String> differences = new ArrayList<>();
        expected.columns.forEach((column, type) -> {
            String actual = columns.get(column);
            if (actual == null) {
                differences.add("column %s is missing, expected %s".formatted(column, type));
            } else if (!actual.equals(type)) {
                differences.add("column %s is %s, expected %s".formatted(column, actual, type));
            }
        });
        if (!primaryKey.equals(expected.primaryKey)) {
            differences.add("the primary key is %s, expected %s".formatted(primaryKey, expected.primaryKey));
        }
        if (timeToLive != expected.timeToLive) {
            differences.add("default_time_to_live is %d, expected %d".formatted(timeToLive, expected.timeToLive));
        }
        return differences;
    }
}
