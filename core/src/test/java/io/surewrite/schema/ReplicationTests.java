package io.surewrite.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.internal.lwt.ConditionalProfile.ConditionalLevel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplicationTests {

    private static final String SIMPLE = "org.apache.cassandra.locator.SimpleStrategy";
    private static final String BY_DATACENTER = "org.apache.cassandra.locator.NetworkTopologyStrategy";
    private static final ConditionalLevel SERIAL = new ConditionalLevel(false, "eu");
    private static final ConditionalLevel LOCAL_SERIAL = new ConditionalLevel(true, "eu");

    @Test
    void permitsWhatHasReplicas() {
        assertThat(obstacles(Map.of("class", SIMPLE, "replication_factor", "3"), LOCAL_SERIAL))
                .isEmpty();
        assertThat(obstacles(Map.of("class", BY_DATACENTER, "eu", "3", "us", "0"), LOCAL_SERIAL))
                .isEmpty();
        assertThat(obstacles(Map.of("class", BY_DATACENTER, "us", "3"), SERIAL)).isEmpty();
    }

    @Test
    void refusesWhatCannotDecide() {
        refuses(Map.of("class", BY_DATACENTER, "eu", "0"), SERIAL, "no node keeps it");
        refuses(Map.of("class", BY_DATACENTER, "eu", "3/1"), LOCAL_SERIAL, "transient");
        refuses(Map.of("class", BY_DATACENTER, "us", "3"), LOCAL_SERIAL, "local data centre eu");
    }

    private static void refuses(Map<String, String> options, ConditionalLevel level, String why) {
        assertThat(obstacles(options, level)).singleElement().asString().contains(why);
    }

    private static List<String> obstacles(Map<String, String> options, ConditionalLevel level) {
        return new Replication(options).obstaclesToConditionalWrites(level);
    }
}
