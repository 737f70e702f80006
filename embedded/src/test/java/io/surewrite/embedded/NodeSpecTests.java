package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class NodeSpecTests {

    private static final NodeSpec FOUNDER = NodeSpec.founder(
            0,
            Map.of(EmbeddedCassandra.LOCAL_DATACENTER, 3),
            Ports.addresses(3),
            new Ports(9042, 7000),
            Path.of("node1"));

    @Test
    void aNewTokenHalvesTheLargestPartOfTheRing() {
        assertThat(NodeSpec.tokenBetween(List.of(Long.MIN_VALUE + 1, 0L, 100L))).isEqualTo(Long.MIN_VALUE / 2);
        assertThat(NodeSpec.tokenBetween(List.of(0L, 100L, -100L))).isEqualTo(Long.MIN_VALUE + 1);
        assertThat(NodeSpec.tokenBetween(List.of(Long.MIN_VALUE + 1))).isEqualTo(1);
    }

    @Test
    void whoJoinsTakesItsDataAndIsNoSeed() {
        NodeSpec joining =
                FOUNDER.joining(Ports.addresses(4).get(3), EmbeddedCassandra.LOCAL_DATACENTER, 17, Path.of("node4"));
        assertThat(yaml(joining)).containsEntry("auto_bootstrap", true).containsEntry("initial_token", "17");
        assertThat(yaml(joining).toString()).contains("127.0.0.3:7000").doesNotContain("127.0.0.4:7000");
        assertThat(properties(joining))
                .contains("-Dcassandra.ring_delay_ms=10000")
                .noneMatch(property -> property.contains("skip_wait_for_gossip"));
    }

    @Test
    void aReplacementAsksForItsToken() {
        NodeSpec replacement = FOUNDER.replacement(Ports.addresses(4).get(3), Path.of("node4"));
        assertThat(yaml(replacement)).containsEntry("auto_bootstrap", true).doesNotContainKey("initial_token");
        assertThat(properties(replacement)).contains("-Dcassandra.replace_address_first_boot=127.0.0.1");
    }

    @Test
    void aMemberStartsAgainAsOneOfThem() {
        NodeSpec member = FOUNDER.replacement(Ports.addresses(4).get(3), Path.of("node4"))
                .member(Ports.addresses(4).subList(1, 4));
        assertThat(yaml(member)).containsEntry("auto_bootstrap", false);
        assertThat(yaml(member).toString()).contains("127.0.0.4:7000").doesNotContain("127.0.0.1:7000");
        assertThat(properties(member))
                .contains("-Dcassandra.ring_delay_ms=1000")
                .noneMatch(property -> property.contains("replace_address"));
    }

    private static Map<String, Object> yaml(NodeSpec node) {
        return new Yaml().load(CassandraYaml.of(node, Map.of()));
    }

    private static List<String> properties(NodeSpec node) {
        return JvmArguments.systemProperties(node, 3, true, true);
    }
}
