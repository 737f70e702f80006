package io.surewrite.embedded;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One node's place in its cluster.
 *
 * @param index from 0
 * @param dataCenters the number of nodes of each, in the order of the nodes
 * @param addresses of all nodes
 * @param ports of all nodes
 * @param directory of this node
 */
record NodeSpec(int index, Map<String, Integer> dataCenters, List<InetAddress> addresses, Ports ports, Path directory) {

    private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);

    InetAddress address() {
        return addresses.get(index);
    }

    InetSocketAddress cql() {
        return new InetSocketAddress(address(), ports.cql());
    }

    String dataCenter() {
        int end = 0;
        for (Map.Entry<String, Integer> each : dataCenters.entrySet()) {
            end += each.getValue();
            if (index < end) {
                return each.getKey();
            }
        }
        throw new IllegalStateException("No data center has a node " + index);
    }

    /** The one that is there by default; its name is Cassandra's. */
    boolean isInTheOnlyDataCenter() {
        return dataCenters.keySet().equals(Set.of(EmbeddedCassandra.LOCAL_DATACENTER));
    }

    /** Where a node reads which data center it is in. */
    Path rackFile() {
        return directory.resolve("cassandra-rackdc.properties");
    }

    int nodes() {
        return addresses.size();
    }

    /** The nodes divide the ring evenly. */
    long token() {
        BigInteger step = RING.divide(BigInteger.valueOf(nodes())).multiply(BigInteger.valueOf(index));
        return BigInteger.valueOf(Long.MIN_VALUE + 1).add(step).longValueExact();
    }
}
