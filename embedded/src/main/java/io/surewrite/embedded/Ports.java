package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.LOOPBACK_MISSING;
import static io.surewrite.embedded.EmbeddedCassandraException.Reason.PORT_TAKEN;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The ports of a cluster, the same on all its addresses.
 *
 * @param cql where clients connect
 * @param storage where the nodes talk to each other
 */
record Ports(int cql, int storage) {

    private static final int ATTEMPTS = 50;

    /** The addresses 127.0.0.1 and up. */
    static List<InetAddress> addresses(int nodes) {
        return IntStream.rangeClosed(1, nodes).mapToObj(Ports::loopback).toList();
    }

    /** Finds ports that are free on every address; a port that was asked for must be free itself. */
    static Ports find(List<InetAddress> addresses, @Nullable Integer fixed) {
        addresses.forEach(Ports::mustExist);
        if (fixed == null) {
            int cql = anyFree(addresses, 0);
            return new Ports(cql, anyFree(addresses, cql));
        }
        for (InetAddress address : addresses) {
            if (!isFree(address, fixed)) {
                throw taken(address, fixed);
            }
        }
        return new Ports(fixed, anyFree(addresses, fixed));
    }

    static EmbeddedCassandraException taken(InetAddress address, int port) {
        return new EmbeddedCassandraException(
                PORT_TAKEN,
                "Port %d of %s is in use by another process".formatted(port, address.getHostAddress()),
                "Stop that process, choose another port with surewrite.embedded.port,"
                        + " or leave the port out: then a free one is taken.");
    }

    private static int anyFree(List<InetAddress> addresses, int except) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = anyFree(addresses.get(0));
            if (port != except && addresses.stream().allMatch(address -> isFree(address, port))) {
                return port;
            }
        }
        throw new EmbeddedCassandraException(
                PORT_TAKEN, "No port is free on all of " + addresses, "Close programs that listen on many ports.");
    }

    private static int anyFree(InetAddress address) {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new EmbeddedCassandraException(
                    PORT_TAKEN, "Cannot listen on " + address + ": " + e, "Check the machine's network set-up.", e);
        }
    }

    static boolean isFree(InetAddress address, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true); // Connections of a server that just ended do not count.
            socket.bind(new InetSocketAddress(address, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void mustExist(InetAddress address) {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            socket.setReuseAddress(true);
        } catch (IOException e) {
            String host = address.getHostAddress();
            throw new EmbeddedCassandraException(
                    LOOPBACK_MISSING,
                    "This machine does not answer at %s, which a node needs: %s".formatted(host, e.getMessage()),
                    "On macOS add the address with: sudo ifconfig lo0 alias " + host + " up",
                    e);
        }
    }

    private static InetAddress loopback(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("Four bytes are an address", e);
        }
    }
}
