package io.surewrite.embedded;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * One node's place in its cluster.
 *
 * @param index from 0
 * @param addresses of all nodes
 * @param ports of all nodes
 * @param directory of this node
 */
record NodeSpec(int index, List<InetAddress> addresses, Ports ports, Path directory) {

    private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);

    InetAddress address() {
        return addresses.get(index);
    }

    InetSocketAddress cql() {
        return new InetSocketAddress(address(), ports.cql());
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
