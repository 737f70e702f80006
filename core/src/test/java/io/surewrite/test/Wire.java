package io.surewrite.test;

import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** The way to the server, which can be cut and mended while the server runs. */
public final class Wire implements AutoCloseable {

    private final InetSocketAddress server;
    private final InetSocketAddress here;
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable ServerSocket accepting;

    public Wire(InetSocketAddress server) {
        this.server = server;
        this.here = new InetSocketAddress(InetAddress.getLoopbackAddress(), mend(0));
    }

    public int port() {
        return here.getPort();
    }

    /** Cuts every connection; new ones are refused. */
    public void cut() {
        ServerSocket socket = accepting;
        accepting = null;
        if (socket != null) {
            closeQuietly(socket);
        }
        open.forEach(Wire::closeQuietly);
        open.clear();
    }

    public void mend() {
        if (accepting == null) {
            mend(port());
        }
    }

    private int mend(int port) {
        // An outgoing connection of anybody may have got the port meanwhile.
        ServerSocket socket = Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .ignoreException(BindException.class)
                .until(() -> listening(port), Objects::nonNull);
        accepting = socket;
        start(() -> accept(socket));
        return socket.getLocalPort();
    }

    private static ServerSocket listening(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket near = socket.accept();
                Socket far = new Socket(server.getAddress(), server.getPort());
                open.add(near);
                open.add(far);
                if (accepting != socket) {
                    closeQuietly(near);
                    closeQuietly(far);
                }
                start(() -> copy(near, far));
                start(() -> copy(far, near));
            } catch (IOException cut) {
                // So it was meant.
            }
        }
    }

    private void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException cut) {
            // So it was meant, or the driver has closed it.
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "wire");
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException alreadyClosed) {
            // Nothing left to close.
        }
    }

    @Override
    public void close() {
        cut();
    }
}
