package io.surewrite.embedded;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One node's place in its cluster.
 *
 * @param address where it listens
 * @param dataCenter it is in
 * @param snitch how it knows that
 * @param token where its part of the ring ends
 * @param seeds the nodes that it asks for the others
 * @param ports of all nodes
 * @param directory of this node
 * @param bootstraps whether it takes its part of the data from the others when it first starts
 * @param replaces the dead node whose part it takes, if it takes one
 */
record NodeSpec(
        InetAddress address,
        String dataCenter,
        String snitch,
        long token,
        List<InetAddress> seeds,
        Ports ports,
        Path directory,
        boolean bootstraps,
        @Nullable InetAddress replaces) {

    private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);
    private static final BigInteger RING_START = BigInteger.valueOf(Long.MIN_VALUE);

    /** The least token itself is no node's. */
    private static final BigInteger FIRST_TOKEN = RING_START.add(BigInteger.ONE);

    /**
     * One of the nodes that a cluster begins with. They know each other, and divide the ring evenly.
     *
     * @param index from 0
     * @param dataCenters the number of nodes of each, in the order of the nodes
     * @param addresses of all nodes
     */
    static NodeSpec founder(
            int index, Map<String, Integer> dataCenters, List<InetAddress> addresses, Ports ports, Path directory) {
        BigInteger step = RING.divide(BigInteger.valueOf(addresses.size())).multiply(BigInteger.valueOf(index));
        // The default is Cassandra's only data center, and its default snitch's.
        boolean isDefault = dataCenters.keySet().equals(Set.of(EmbeddedCassandra.LOCAL_DATACENTER));
        return new NodeSpec(
                addresses.get(index),
                dataCenter(index, dataCenters),
                isDefault ? "SimpleSnitch" : "GossipingPropertyFileSnitch",
                FIRST_TOKEN.add(step).longValueExact(),
                addresses,
                ports,
                directory,
                false,
                null);
    }

    private static String dataCenter(int index, Map<String, Integer> dataCenters) {
        int end = 0;
        for (Map.Entry<String, Integer> each : dataCenters.entrySet()) {
            end += each.getValue();
            if (index < end) {
                return each.getKey();
            }
        }
        throw new IllegalStateException("No data center has a node " + index);
    }

    /** A node that comes to this one and others while they run. It must not be a seed itself, or it would take no data. */
    NodeSpec joining(InetAddress itsAddress, String itsDataCenter, long itsToken, Path itsDirectory) {
        return new NodeSpec(itsAddress, itsDataCenter, snitch, itsToken, seeds, ports, itsDirectory, true, null);
    }

    /** A node that takes the place of this one, which is dead, at an address of its own: writes reach it while it takes the data. */
    NodeSpec replacement(InetAddress itsAddress, Path itsDirectory) {
        return new NodeSpec(itsAddress, dataCenter, snitch, token, seeds, ports, itsDirectory, true, address);
    }

    /** The same node, now a member of a cluster of these. */
    NodeSpec member(List<InetAddress> members) {
        return new NodeSpec(address, dataCenter, snitch, token, members, ports, directory, false, null);
    }

    /** The middle of the largest part of the ring that lies between two tokens. */
    static long tokenBetween(List<Long> tokens) {
        List<Long> inOrder = List.copyOf(new TreeSet<>(tokens));
        BigInteger start = RING_START;
        BigInteger largest = BigInteger.ZERO;
        for (int i = 0; i < inOrder.size(); i++) {
            BigInteger from = BigInteger.valueOf(inOrder.get(i));
            BigInteger to = BigInteger.valueOf(inOrder.get((i + 1) % inOrder.size()));
            BigInteger length =
                    i + 1 < inOrder.size() ? to.subtract(from) : to.add(RING).subtract(from);
            if (length.compareTo(largest) > 0) {
                largest = length;
                start = from;
            }
        }
        return start.add(largest.shiftRight(1))
                .subtract(RING_START)
                .mod(RING)
                .add(RING_START)
                .max(FIRST_TOKEN)
                .longValueExact();
    }

    InetSocketAddress cql() {
        return new InetSocketAddress(address, ports.cql());
    }

    /** Where a node reads which data center it is in. */
    Path rackFile() {
        return directory.resolve("cassandra-rackdc.properties");
    }
}
