package io.surewrite.internal.lwt;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Where a session's lightweight transactions are decided.
 *
 * @param local whether in the local data centre alone
 * @param datacenter the local data centre; empty if the session does not know one
 */
public record ConditionalLevel(boolean local, String datacenter) {

    /**
     * Reads it from the configuration and the nodes.
     *
     * @param session the session
     * @return its level
     */
    public static ConditionalLevel of(CqlSession session) {
        String level = ConditionalProfile.of(session).getString(DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY);
        String datacenter = datacenters(session).findFirst().orElse("");
        return new ConditionalLevel(level.equalsIgnoreCase(ConsistencyLevel.LOCAL_SERIAL.name()), datacenter);
    }

    /** The data centres that the driver takes for its own. */
    static Stream<String> datacenters(CqlSession session) {
        return session.getMetadata().getNodes().values().stream()
                .filter(node -> node.getDistance() == NodeDistance.LOCAL)
                .map(Node::getDatacenter)
                .filter(Objects::nonNull)
                .distinct();
    }
}
