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
        assertThat(obstacles(Map.of("class", "com.example.EverywhereStrategy"), SERIAL))
                .isEmpty();
    }

    @Test
    void refusesWhatNobodyAgreesOn() {
        assertThat(obstacles(Map.of("class", "org.apache.cassandra.locator.LocalStrategy"), SERIAL))
                .singleElement()
                .asString()
                .contains("nothing to agree on");
        assertThat(obstacles(Map.of("class", BY_DATACENTER, "eu", "0"), SERIAL))
                .singleElement()
                .asString()
                .contains("no node keeps it");
    }

    @Test
    void refusesTransientReplicas() {
        assertThat(obstacles(Map.of("class", BY_DATACENTER, "eu", "3/1"), LOCAL_SERIAL))
                .singleElement()
                .asString()
                .contains("transient");
    }

    @Test
    void refusesToDecideWhereThereIsNoReplica() {
        assertThat(obstacles(Map.of("class", BY_DATACENTER, "us", "3"), LOCAL_SERIAL))
                .singleElement()
                .asString()
                .contains("local data centre eu");
    }

    private static List<String> obstacles(Map<String, String> options, ConditionalLevel level) {
        return new Replication(options).obstaclesToConditionalWrites(level);
    }
}
