package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class CassandraYamlTests {

    private static final Path DIRECTORY = Path.of("a \"quoted\" place");

    @Test
    void letsTheUsersSettingsWin() {
        Map<String, Object> yaml = yaml(0, 1, Map.of("paxos_variant", "v1", "concurrent_writes", 8));
        assertThat(yaml).containsEntry("paxos_variant", "v1").containsEntry("concurrent_writes", 8);
    }

    @Test
    void takesOutWhatIsSetToNull() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("initial_token", null);
        settings.put("num_tokens", 4);
        assertThat(yaml(0, 1, settings)).doesNotContainKey("initial_token").containsEntry("num_tokens", 4);
    }

    @Test
    void dividesTheRingAmongTheNodes() {
        assertThat(List.of(token(0), token(1), token(2)))
                .containsExactly("-9223372036854775807", "-3074457345618258602", "3074457345618258603");
    }

    private static Object token(int index) {
        return yaml(index, 3, Map.of()).get("initial_token");
    }

    private static Map<String, Object> yaml(int index, int nodes, Map<String, Object> settings) {
        NodeSpec node = NodeSpec.founder(
                index,
                Map.of(EmbeddedCassandra.LOCAL_DATACENTER, nodes),
                Ports.addresses(nodes),
                new Ports(9042, 7000),
                DIRECTORY);
        return new Yaml().load(CassandraYaml.of(node, settings));
    }
}
