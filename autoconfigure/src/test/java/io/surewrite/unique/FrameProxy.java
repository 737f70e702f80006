package io.surewrite.unique;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.LoggerFactory;

/**
 * A bad network in front of a real node: it takes the frames of the native protocol, version 4, one by one, and may hold
 * back a request or its answer. Neither side's driver or server notices anything but silence.
 */
final class FrameProxy implements AutoCloseable {

    private static final int HEADER = 9;
    private static final int STREAM = 2;
    private static final int OPCODE = 4;
    private static final int LENGTH = 5;
    private static final byte QUERY = 0x07;
    private static final byte EXECUTE = 0x0A;
    private static final byte BATCH = 0x0D;

    private final int node;
    private final Duration delay;
    private final Function<byte[], Verdict> judge;
    private final ServerSocket listener;
    private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();

    /** What becomes of a request. */
    enum Fate {
        DELIVERED,
        NEVER_SENT,
        ANSWER_LOST,
        LATE
    }

    /**
     * What a judge says.
     *
     * @param fate what becomes of the request
     * @param answered becomes done when the node has answered it, whoever hears that
     */
    record Verdict(Fate fate, CompletableFuture<Void> answered) {}

    /**
     * @param node the port of the node
     * @param delay of what is late
     * @param judge decides about each request that reads or writes rows, from its whole frame
     */
    FrameProxy(int node, Duration delay, Function<byte[], Verdict> judge) throws IOException {
        this.node = node;
        this.delay = delay;
        this.judge = judge;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        open.add(listener);
        start(this::accept, listener);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), node);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Connection connection = new Connection(server.getOutputStream(), client.getOutputStream());
            Closeable both = () -> {
                client.close();
                server.close();
            };
            open.add(both);
            start(() -> forward(client.getInputStream(), connection::request), both);
            start(() -> forward(server.getInputStream(), connection::answer), both);
        }
    }

    private interface Step {

        void run() throws IOException;
    }

    private interface Receiver {

        void receive(byte[] frame) throws IOException;
    }

    /** Runs until one side is gone; then the other one is to notice. */
    private static void start(Step step, Closeable sides) {
        Thread thread = new Thread(
                () -> {
                    try (sides) {
                        step.run();
                    } catch (IOException gone) {
                        LoggerFactory.getLogger(FrameProxy.class).debug("A connection is over", gone);
                    }
                },
                "frame-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void forward(InputStream from, Receiver to) throws IOException {
        DataInputStream in = new DataInputStream(from);
        byte[] header = new byte[HEADER];
        while (true) {
            in.readFully(header);
            byte[] frame = new byte[HEADER + ByteBuffer.wrap(header).getInt(LENGTH)];
            System.arraycopy(header, 0, frame, 0, HEADER);
            in.readFully(frame, HEADER, frame.length - HEADER);
            to.receive(frame);
        }
    }

    /** A driver's connection; a stream id names a request until it is answered. */
    private final class Connection {

        private final OutputStream server;
        private final OutputStream client;
        private final Map<Short, Verdict> judged = new ConcurrentHashMap<>();

        Connection(OutputStream server, OutputStream client) {
            this.server = server;
            this.client = client;
        }

        void request(byte[] frame) throws IOException {
            byte opcode = frame[OPCODE];
            Verdict verdict = opcode == QUERY || opcode == EXECUTE || opcode == BATCH
                    ? judge.apply(frame)
                    : new Verdict(Fate.DELIVERED, new CompletableFuture<>());
            judged.put(stream(frame), verdict);
            switch (verdict.fate()) {
                case DELIVERED, ANSWER_LOST -> send(server, frame);
                case LATE -> {
                    var unused = later.schedule(
                            () -> {
                                send(server, frame);
                                return frame;
                            },
                            delay.toMillis(),
                            TimeUnit.MILLISECONDS);
                }
                case NEVER_SENT -> {}
            }
        }

        void answer(byte[] frame) throws IOException {
            Verdict verdict = judged.remove(stream(frame));
            if (verdict == null || verdict.fate() != Fate.ANSWER_LOST) {
                send(client, frame);
            }
            if (verdict != null) {
                verdict.answered().complete(null);
            }
        }

        private static short stream(byte[] frame) {
            return ByteBuffer.wrap(frame).getShort(STREAM);
        }

        private static void send(OutputStream to, byte[] frame) throws IOException {
            synchronized (to) {
                to.write(frame);
                to.flush();
            }
        }
    }

    @Override
    public void close() throws IOException {
        later.shutdownNow();
        for (Closeable each : open) {
            each.close();
        }
    }
}
