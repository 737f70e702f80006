package io.surewrite.schema;

import io.surewrite.internal.lwt.ConditionalProfile.ConditionalLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How many nodes keep a keyspace, and which: what stands in {@code WITH replication =}. */
record Replication(Map<String, String> options) {

    private static final String CLASS = "class";

    /** Why lightweight transactions cannot work there; empty if they can. */
    List<String> obstaclesToConditionalWrites(ConditionalLevel level) {
        List<String> obstacles = new ArrayList<>();
        if (factors().stream().anyMatch(factor -> factor.contains("/"))) {
            obstacles.add("it has transient replicas (%s), which take no lightweight transactions".formatted(options));
        } else if (!factors().isEmpty() && factors().stream().allMatch(factor -> factor.equals("0"))) {
            obstacles.add("no node keeps it: its replication is " + options);
        } else if (level.local()
                && strategy().endsWith("NetworkTopologyStrategy")
                && options.getOrDefault(level.datacenter(), "0").equals("0")) {
            obstacles.add(
                    ("no node of the local data centre %s keeps it (its replication is %s), and LOCAL_SERIAL decides"
                                    + " there")
                            .formatted(level.datacenter(), options));
        }
        return obstacles;
    }

    private String strategy() {
        return options.getOrDefault(CLASS, "");
    }

    private List<String> factors() {
        return options.entrySet().stream()
                .filter(option -> !option.getKey().equals(CLASS))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** How many nodes of a data centre keep each row; negative if the options do not tell. */
    int replicasIn(String datacenter) {
        if (strategy().endsWith("NetworkTopologyStrategy") && options.containsKey(datacenter)) {
            return replicas(options.get(datacenter));
        }
        return strategy().endsWith("SimpleStrategy") ? replicas(options.getOrDefault("replication_factor", "")) : -1;
    }

    /** Of {@code 3/1} the first: all replicas, transient ones included. */
    private static int replicas(String factor) {
        String all = factor.split("/", 2)[0];
        return all.chars().allMatch(Character::isDigit) && !all.isEmpty() ? Integer.parseInt(all) : -1;
    }
}
