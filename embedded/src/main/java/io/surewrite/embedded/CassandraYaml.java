package io.surewrite.embedded;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a node's {@code cassandra.yaml}. The user's settings win; a setting of null takes ours out. */
final class CassandraYaml {

    private CassandraYaml() {}

    static String of(NodeSpec node, Map<String, Object> settings) {
        Map<String, Object> entries = defaults(node, settings);
        settings.forEach((name, value) -> {
            if (value == null) {
                entries.remove(name);
            } else {
                entries.put(name, value);
            }
        });
        return entries.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + json(entry.getValue()) + "\n")
                .collect(Collectors.joining());
    }

    private static Map<String, Object> defaults(NodeSpec node, Map<String, Object> settings) {
        Path directory = node.directory();
        String address = node.address().getHostAddress();
        String seeds = node.seeds().stream()
                .map(seed -> seed.getHostAddress() + ":" + node.ports().storage())
                .collect(Collectors.joining(","));
        Map<String, Object> yaml = new LinkedHashMap<>();
        yaml.put("cluster_name", "surewrite");
        yaml.put("num_tokens", 1);
        if (node.replaces() == null) { // A replacement asks for its token.
            yaml.put("initial_token", Long.toString(node.token()));
        }
        yaml.put("auto_bootstrap", node.bootstraps());
        yaml.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
        yaml.put("endpoint_snitch", node.snitch());
        yaml.put("paxos_variant", "v2");
        yaml.put("listen_address", address);
        yaml.put("rpc_address", address);
        yaml.put("native_transport_port", node.ports().cql());
        yaml.put("storage_port", node.ports().storage());
        yaml.put(
                "seed_provider",
                List.of(Map.of(
                        "class_name",
                        "org.apache.cassandra.locator.SimpleSeedProvider",
                        "parameters",
                        List.of(Map.of("seeds", seeds)))));
        yaml.put("data_file_directories", List.of(directory.resolve("data")));
        yaml.put("commitlog_directory", directory.resolve("commitlog"));
        yaml.put("saved_caches_directory", directory.resolve("saved_caches"));
        yaml.put("hints_directory", directory.resolve("hints"));
        yaml.put("cdc_raw_directory", directory.resolve("cdc_raw"));
        if (!settings.containsKey("commitlog_sync")) { // Another mode refuses the period.
            yaml.put("commitlog_sync", "periodic");
            yaml.put("commitlog_sync_period", "10000ms");
        }
        yaml.put("auto_snapshot", false);
        return yaml;
    }

    /** YAML takes JSON, which leaves no question about quoting. */
    private static String json(@Nullable Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return String.valueOf(value);
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> quoted(String.valueOf(entry.getKey())) + ": " + json(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Iterable<?> items && !(value instanceof Path)) {
            StringBuilder list = new StringBuilder();
            items.forEach(item -> list.append(list.isEmpty() ? "" : ", ").append(json(item)));
            return "[" + list + "]";
        }
        return quoted(value.toString());
    }

    private static String quoted(String text) {
        String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        return '"' + escaped + '"';
    }
}
